"""webgeist show."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import URL, make_capture, new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.page.schema import NODES
from webgeist.repository.ids import capture_id

if TYPE_CHECKING:
    from pathlib import Path

ID = capture_id(make_capture(1).info)


@pytest.fixture(params=["staged", "published"])
def repo(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    with new_repository(tmp_path / "r", 1) as repository:
        if request.param == "published":
            repository.publish()
    return str(tmp_path / "r")


@pytest.mark.parametrize("wanted", [ID, URL, ID[:15], ID.lower()])
def test_tells_the_facts(repo: str, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", wanted, "--repo", repo]) == ExitCode.DONE
    facts = dict(
        line.split(maxsplit=1)
        for line in capsys.readouterr().out.splitlines()
        if " " in line.strip()
    )
    assert facts["capture"] == ID
    assert facts["url"] == URL
    assert facts["nodes"] == "5"
    assert facts["styles"] == "3"
    assert facts["screenshot"] == "8x8 jpeg, 1 tiles"
    assert facts["settled"] == "quiet"


def test_as_json(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", ID, "--repo", repo, "--json"]) == ExitCode.DONE
    facts = json.loads(capsys.readouterr().out)
    assert (facts["capture"], facts["outcome"], facts["title"]) == (ID, "ok", "Page 1")
    assert facts["settled"]["at_rest"] is True


@pytest.mark.parametrize("wanted", ["0" * 26, "http://nowhere/"])
def test_not_there(repo: str, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", wanted, "--repo", repo]) == ExitCode.NOT_FOUND
    assert "there is no capture" in capsys.readouterr().err


def test_a_node_with_its_styles(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", f"{ID}:3", "--repo", repo]) == ExitCode.DONE
    said = capsys.readouterr().out.splitlines()
    assert "name p" in said
    assert "text text 1" in said
    assert 'attributes id "n3"' in said
    assert "font-size: 11px" in said
    assert "background-color: rgba(0, 0, 0, 0)" in said


@pytest.mark.parametrize("wanted", [f"{ID}:3", f"{ID[:12].lower()}:3", f"{URL}:3"])
def test_a_node_as_json(repo: str, wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", wanted, "--repo", repo, "--json"]) == ExitCode.DONE
    facts = json.loads(capsys.readouterr().out)
    assert (facts["capture"], facts["node"], facts["name"]) == (ID, 3, "p")
    assert facts["attributes"] == {"id": "n3"}
    assert facts["styles"]["width"] == "2px"
    assert set(facts) == {"capture", "styles", *NODES.names}


def test_the_picture_of_a_node(repo: str, tmp_path: Path) -> None:
    target = tmp_path / "node.png"
    assert run(["show", f"{ID}:2", "--repo", repo, "--png", str(target)]) == ExitCode.DONE
    with Image.open(target) as image:
        assert (image.format, image.size) == ("PNG", (7, 6)), "from 1.5, 2 to the picture's end"
    assert run(["show", ID, "--repo", repo, "--png", str(target)]) == ExitCode.DONE
    with Image.open(target) as image:
        assert image.size == (8, 8), "the whole page, in place of the other"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["node.png", "r"]


def test_what_has_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with new_repository(tmp_path / "r") as repository:
        failed = repository.add(make_capture(2, nodes=0))
    target = tmp_path / "x.png"
    command = ["show", failed, "--repo", str(tmp_path / "r"), "--png", str(target)]
    assert run(command) == ExitCode.NOT_FOUND
    assert "there is no picture of capture" in capsys.readouterr().err
    assert not target.exists()


def test_an_older_release(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with new_repository(tmp_path / "r", 1) as repository:
        repository.publish()
        repository.add(make_capture(2))
        repository.publish()
    command = ["show", URL, "--repo", str(tmp_path / "r"), "--json"]
    titles = []
    for more in ([], ["--release", "1"], ["--release", "2"]):
        assert run([*command, *more]) == ExitCode.DONE
        titles.append(json.loads(capsys.readouterr().out)["title"])
    assert titles == ["Page 2", "Page 1", "Page 2"]
    second = capture_id(make_capture(2).info)
    for wanted in (second, second[:24], f"{second}:1"):
        assert run(["show", wanted, *command[2:], "--release", "1"]) == ExitCode.NOT_FOUND
    assert run([*command, "--release", "3"]) == ExitCode.NOT_FOUND


def test_a_node_that_is_not_there(repo: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", f"{ID}:99", "--repo", repo]) == ExitCode.NOT_FOUND
    said = capsys.readouterr().err
    assert "has no node 99" in said
    assert "0 to 4" in said


def test_a_resource_is_shown_by_its_hash(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with new_repository(tmp_path / "r") as repository:
        repository.add(make_capture(1), [make_exchange("http://h.test/a.css", b"a { b: c }")])
        repository.publish()
        (sha256,) = repository.release().table("resources")["sha256"].to_pylist()
    close_bodies()
    body = tmp_path / "a.css"
    options = ["--repo", str(tmp_path / "r"), "--body", str(body), "--json"]
    assert run(["show", sha256, *options]) == ExitCode.DONE
    facts = json.loads(capsys.readouterr().out)
    assert (facts["url"], facts["bytes"], facts["sha256"]) == ("http://h.test/a.css", 10, sha256)
    assert body.read_bytes() == b"a { b: c }"
    assert run(["show", "0" * 64, "--repo", str(tmp_path / "r")]) == ExitCode.NOT_FOUND
