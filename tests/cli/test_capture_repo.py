"""webgeist capture --repo: pages go into a repository, with everything that was sent."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.errors import StorageError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.check import check
from webgeist.repository.repository import Repository, open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Site

    from webgeist.capture.model import Capture


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGEIST_CAPTURE_SCREENSHOT", "jpeg")


def test_into_a_new_repository(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    style = site.add("/style.css", "p { color: red }", headers={"content-type": "text/css"})
    page = site.add("/", f"<link rel=stylesheet href={style}><title>Kept</title><p>Words")
    repo = tmp_path / "mine"
    command = ["capture", page, "--repo", str(repo), "--allow-private", "--json"]
    assert run(command) == ExitCode.DONE
    first = json.loads(capsys.readouterr().out)["captures"][0]
    assert "folder" not in first
    assert run(command) == ExitCode.DONE
    assert run(["publish", "--repo", str(repo)]) == ExitCode.DONE
    with open_repository(repo, readonly=True) as repository:
        assert len(repository) == 2
        release = repository.release()
        stored = release.capture(first["capture"])
        assert stored.info.metadata is not None
        assert stored.info.metadata.title == "Kept"
        assert stored.thumbnail
        rows = release.table("resources").to_pylist()
        reader = ArchiveReader(repository.layout.archive)
        bodies = {
            row["url"]: reader.answer(RecordPlace(**row["answer"])).body.read() for row in rows
        }
        assert bodies[style] == b"p { color: red }"
        assert [row["revisit"] for row in rows if row["url"] == style] == [False, True]
    assert check(repo) == []


def test_the_gate_is_closed_without_being_asked(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = site.add("/", "<p>private")
    assert run(["capture", page, "--repo", str(tmp_path / "r")]) == ExitCode.FAILED_PAGES
    assert site.log == []
    assert check(tmp_path / "r") == []
    with open_repository(tmp_path / "r") as repository:
        assert repository.captures()[0].url == page, "kept with the reason"


def test_the_repositorys_settings_hold(site: Site, tmp_path: Path) -> None:
    run(["init", str(tmp_path / "r")])
    (tmp_path / "r" / "webgeist.toml").write_text("[capture]\nviewport = 'mobile'\n")
    page = site.add("/", "<p>small")
    run(["capture", page, "--repo", str(tmp_path / "r"), "--allow-private"])
    with open_repository(tmp_path / "r") as repository:
        assert repository.captures()[0].viewport == "mobile"


@pytest.mark.parametrize("form", ["proxy", "browser"])
def test_either_recorder(site: Site, tmp_path: Path, form: str) -> None:
    page = site.add("/", "<p>recorded")
    command = ["capture", page, "--repo", str(tmp_path / "r"), "--allow", "127.0.0.1"]
    assert run([*command, "--recorder", form]) == ExitCode.DONE
    with open_repository(tmp_path / "r") as repository:
        [stored] = repository
        assert stored.info.recorder == form
        assert run(["capture", "--offline", page, "--repo", str(tmp_path / "r")]) == ExitCode.DONE


def test_not_with_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["capture", "http://h/", "--repo", str(tmp_path / "r"), "--out", str(tmp_path / "o")]
    assert run(command) == ExitCode.USAGE
    assert "exclude each other" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_repository_in_use(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["init", str(tmp_path / "r")])
    with open_repository(tmp_path / "r") as other, other.batch():
        page = site.add("/", "<p>late")
        command = ["capture", page, "--repo", str(tmp_path / "r"), "--allow-private"]
        assert run(command) == ExitCode.DAMAGED
    assert "is in use by process" in capsys.readouterr().err


def test_a_page_is_kept_while_the_next_one_loads(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = site.add("/first", "<p>one"), site.add("/second", "<p>two")
    add = Repository.add

    def patient(self: Repository, capture: Capture) -> str:
        if capture.info.url == first:
            assert site.asked["/second"].wait(60), "the next page waits for this one"
        return add(self, capture)

    monkeypatch.setattr(Repository, "add", patient)
    command = ["capture", first, second, "--repo", str(tmp_path / "r"), "--allow-private"]
    assert run(command) == ExitCode.DONE
    said = capsys.readouterr().err
    assert said.index("1/2 ") < said.index("2/2 ")
    with open_repository(tmp_path / "r") as repository:
        assert [entry.url for entry in repository.captures()] == [first, second]
    assert check(tmp_path / "r") == []


def test_what_is_not_kept_is_not_said_to_be(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*_: object) -> str:
        raise StorageError("no room")

    monkeypatch.setattr(Repository, "add", refuse)
    pages = [site.add(f"/{name}", "<p>page") for name in ("a", "b", "c")]
    command = ["capture", *pages, "--repo", str(tmp_path / "r"), "--allow-private"]
    assert run(command) == ExitCode.STORAGE
    said = capsys.readouterr().err
    assert "no room" in said
    assert "1/3 " not in said
    assert "/c" not in site.log, "nothing is loaded for nothing"


def test_metrics_of_the_repository_are_run(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = tmp_path / "mine"
    assert run(["init", str(repo)]) == ExitCode.DONE
    (repo / "metrics" / "count.js").write_text(
        "return { p: document.querySelectorAll('p').length }"
    )
    (repo / "metrics" / "never.js").write_text("new Promise(() => 0)")
    (repo / "metrics" / "Odd Name.js").write_text("1")
    (repo / "webgeist.toml").write_text("[limits]\nmetric_seconds = 0.5\n")
    pages = [site.add("/1", "<p>one"), site.add("/2", "<p>one<p>two")]
    capsys.readouterr()
    assert run(["capture", *pages, "--repo", str(repo), "--allow-private"]) == ExitCode.DONE
    assert capsys.readouterr().err.count("'Odd Name.js'") == 1
    assert run(["publish", "--repo", str(repo)]) == ExitCode.DONE
    with open_repository(repo, readonly=True) as repository:
        infos = [capture.info for capture in repository]
    assert [info.metrics for info in infos] == [{"count": '{"p":1}'}, {"count": '{"p":2}'}]
    late = {"never": "no result within 0.5 s"}
    assert [info.metrics_failed for info in infos] == [late, late]
