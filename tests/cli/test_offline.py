"""webgeist capture --offline: a stored page again, and how it differs, as a user sees it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.repository.making import make_capture, new_repository

from webgeist.capture.folder import open_capture
from webgeist.cli.exits import ExitCode
from webgeist.cli.offline import end_of, lines_of
from webgeist.cli.run import run
from webgeist.repository.repository import open_repository
from webgeist.samples.museum.servers import closed_port

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Site


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    return tmp_path / "r"


def record(repo: Path, url: str, *flags: str) -> str:
    """The id of a new capture."""
    run(["capture", url, "--repo", str(repo), "--allow-private", *flags])
    with open_repository(repo, readonly=True) as repository:
        return repository.captures()[-1].capture


def again(
    repo: Path, wanted: str, capsys: pytest.CaptureFixture[str], *flags: str
) -> dict[str, Any]:
    capsys.readouterr()
    assert run(["capture", "--offline", wanted, "--repo", str(repo), "--json", *flags]) == 0
    report: dict[str, Any] = json.loads(capsys.readouterr().out)
    return report


@pytest.mark.parametrize("wanted", ["id", "prefix", "url"])
def test_the_same_page_by_id_beginning_or_address(
    site: Site, repo: Path, capsys: pytest.CaptureFixture[str], wanted: str
) -> None:
    url = site.add("/", "<title>Kept</title><link rel=stylesheet href=/a.css><p>words")
    site.add("/a.css", "p { color: red }", headers={"content-type": "text/css"})
    id_ = record(repo, url)
    asked = list(site.log)
    report = again(repo, {"id": id_, "prefix": id_[:12].lower(), "url": url}[wanted], capsys)
    assert (report["capture"], report["same"]) == (id_, True)
    assert report["nodes"]["same"] is True
    assert (report["facts"], report["pixels"]) == ({}, 0)
    assert (report["missing"], report["unused"]) == ([], [])
    assert report["replayed"]["title"] == "Kept"
    assert site.log == asked, "nothing was asked from the server"


def test_differences_are_told(site: Site, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A page without a fixed clock is another one each time."""
    url = site.add(
        "/",
        "<p id=p>now <script>const t = Date.now(); p.append(t); p.title = t;"
        "for (let n = 0; n < 12; n++) fetch(`/${n}?${t}`)</script>",
    )
    for number in range(12):
        site.add(f"/{number}", "{}")
    id_ = record(repo, url, "--live")
    capsys.readouterr()
    assert run(["capture", "--offline", id_, "--repo", str(repo)]) == ExitCode.DONE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(f"{url}, captured ")
    assert lines[1] == "different from then"
    assert "outcome: ok" in lines
    assert any(line.startswith("node table: 0 removed, 0 added, ") for line in lines)
    assert any(line.startswith("  text html/body/p#p/#text[2]: ") for line in lines)
    assert any(line.startswith("  attributes html/body/p#p: title=") for line in lines)
    assert "not stored: 12 requests" in lines
    assert "not asked for: 12 requests" in lines
    assert lines.count("  … and 2 more") == 2
    report = again(repo, id_, capsys)
    assert len(report["missing"]) == len(report["unused"]) == 12
    assert {line["what"] for line in report["nodes"]["first"]} >= {"text", "attributes"}


def test_the_result_can_be_kept(
    site: Site, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = record(repo, site.add("/", "<title>Kept</title>words"), "--screenshot", "none")
    report = again(repo, id_, capsys, "--out", str(tmp_path / "out"))
    kept = open_capture(report["folder"])
    assert kept.info.metadata
    assert kept.info.metadata.title == "Kept"
    with open_repository(repo, readonly=True) as repository:
        assert len(repository) == 1, "the repository stays as it was"


def test_another_writer_does_not_matter(
    site: Site, repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = record(repo, site.add("/", "<p>words"))
    with open_repository(repo) as other, other.batch():
        assert again(repo, id_, capsys)["same"]


def test_a_page_that_never_came_cannot_come_again(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closed_port() as port:
        id_ = record(repo, f"http://127.0.0.1:{port}/")
    assert run(["capture", "--offline", id_, "--repo", str(repo)]) == ExitCode.NOT_FOUND
    assert "nothing was answered" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("extra", "code", "words"),
    [
        (["--offline", "0" * 26], ExitCode.NOT_FOUND, "there is no capture"),
        (["--offline", "ZZZ"], ExitCode.NOT_FOUND, "there is no capture 'ZZZ'"),
        (["--offline", "0"], ExitCode.USAGE, "2 captures begin with '0'"),
        (["--offline", "http://nowhere/"], ExitCode.NOT_FOUND, "no capture of http://nowhere/"),
        (["--offline", "x", "http://h/"], ExitCode.USAGE, "http://h/ does not go with --offline"),
        (["--offline", "x", "--viewport", "mobile"], ExitCode.USAGE, "--viewport does not go"),
        (["--offline", "x", "--live"], ExitCode.USAGE, "--deterministic does not go"),
        (["--offline", "x", "--allow-private"], ExitCode.USAGE, "--allow-private does not go"),
        (["--offline", "x", "--clock", "2026-01-01"], ExitCode.USAGE, "--clock does not go"),
        (["--offline", "x", "--recorder", "proxy"], ExitCode.USAGE, "--recorder does not go"),
    ],
)
def test_what_makes_no_sense_is_refused(
    repo: Path, capsys: pytest.CaptureFixture[str], extra: list[str], code: ExitCode, words: str
) -> None:
    new_repository(repo, 1, 2).close()
    assert run(["capture", *extra, "--repo", str(repo)]) == code
    said = capsys.readouterr().err
    assert words in said
    assert "Traceback" not in said


def test_todays_metrics_are_run(
    site: Site, repo: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    id_ = record(repo, site.add("/", "<title>Kept</title><p>words"))
    (repo / "metrics" / "title.js").write_text("document.title")
    report = again(repo, id_, capsys, "--out", str(tmp_path / "out"))
    assert report["same"] is True
    assert open_capture(report["folder"]).info.metrics == {"title": '"Kept"'}


def test_no_repository(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["capture", "--offline", "x", "--repo", str(tmp_path)]) == ExitCode.NOT_FOUND
    assert "there is no repository" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("then", "now", "nodes", "code"),
    [
        ("ok", "ok", 5, ExitCode.DONE),
        ("ok", "http-error", 5, ExitCode.DONE),
        ("download", "download", 0, ExitCode.DONE),
        ("ok", "withheld", 0, ExitCode.FAILED_PAGES),
        ("ok", "browser-died", 0, ExitCode.BROWSER),
    ],
)
def test_how_it_ends(then: str, now: str, nodes: int, code: ExitCode) -> None:
    report = {"original": {"outcome": then}, "replayed": {"outcome": now, "nodes": nodes}}
    assert end_of(report) == code


def test_a_report_without_pages_has_its_lines() -> None:
    told = {"url": "http://h/", "time": "t", "outcome": "timeout", "reason": "late\nnow"}
    report = {"capture": "ID", "same": False, "original": told, "replayed": told}
    report |= {"facts": {"status": {"before": 200, "after": None}}, "nodes": None, "pixels": None}
    report |= {"unused": [], "missing": [{"method": "GET", "url": "u", "times": 2, "then": "lost"}]}
    assert list(lines_of(report)) == [
        "http://h/, captured t as ID",
        "different from then",
        "outcome: timeout late now",
        "status: 200 → None",
        "node table: no page to compare",
        "pixels: no picture",
        "not stored: 1 requests",
        "  GET u 2 times; no answer then either: lost",
        "not asked for: nothing",
    ]


@pytest.mark.parametrize(
    ("nodes", "line"),
    [
        ({}, "node table: differs in paint order or parts of pixels"),
        (
            {"removed": 1, "changed": 2, "box": 2},
            "node table: 1 removed, 0 added, 2 changed (box 2)",
        ),
    ],
)
def test_how_nodes_are_counted(nodes: dict[str, int], line: str) -> None:
    from webgeist.cli.offline import _node_lines
    from webgeist.page.compare import KINDS

    none = dict.fromkeys(("removed", "added", "changed", *KINDS), 0)
    assert list(_node_lines({"same": False, "first": []} | none | nodes)) == [line]


def test_a_capture_that_came_without_a_recorder(
    repo: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with new_repository(repo) as repository:
        id_ = repository.add(make_capture(1))
    assert run(["capture", "--offline", id_, "--repo", str(repo)]) == ExitCode.NOT_FOUND
    assert "webgeist capture --repo records" in capsys.readouterr().err
