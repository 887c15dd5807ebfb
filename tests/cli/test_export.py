"""webgeist export."""

from __future__ import annotations

import json
import zipfile
from typing import TYPE_CHECKING

import pytest
from tests.repository.archive.exchanges import close_bodies, every_kind, make_exchange
from tests.repository.archive.test_wacz import assert_valid
from tests.repository.making import make_capture, new_repository

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.ids import capture_id
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def repo(tmp_path: Path) -> Iterator[Path]:
    """One capture that is published, and one that is not."""
    with new_repository(tmp_path / "r") as repository:
        repository.add(make_capture(1), every_kind().values())
        repository.publish()
        repository.add(make_capture(2), [make_exchange("http://h.test/later", b"later")])
    yield tmp_path / "r"
    close_bodies()


def pages(path: Path) -> list[dict[str, str]]:
    with zipfile.ZipFile(path) as package:
        return [json.loads(line) for line in package.read("pages/pages.jsonl").splitlines()][1:]


def test_everything_is_in_it(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = repo.with_name("r.wacz")
    assert run(["export", str(repo), "--wacz", str(target)]) == ExitCode.DONE
    said = capsys.readouterr()
    assert said.out == f"{target}\n"
    assert "2 captures" in said.err
    with open_repository(repo, readonly=True) as repository:
        ids = [entry.capture for entry in repository.captures()]
        titles = [repository.capture(id_).info.metadata for id_ in ids]
    assert [page["id"] for page in pages(target)] == ids
    assert [page["title"] for page in pages(target)] == [each.title for each in titles if each]
    with zipfile.ZipFile(target) as package:
        for path in (repo / "archive").glob("*.warc.gz"):
            assert package.read(f"archive/{path.name}") == path.read_bytes()
        assert len([name for name in package.namelist() if name.endswith(".warc.gz")]) == 2


@pytest.mark.slow
def test_the_validator_finds_it_valid(repo: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    target = repo.with_name("r.wacz")
    assert run(["export", str(repo), "--wacz", str(target)]) == ExitCode.DONE
    assert_valid(target, tmp_path_factory.mktemp("wacz"))


def test_as_json(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = repo.with_name("r.wacz")
    assert run(["export", str(repo), "--wacz", str(target), "--json"]) == ExitCode.DONE
    told = json.loads(capsys.readouterr().out)
    assert told == {"file": str(target), "bytes": target.stat().st_size, "captures": 2}


def test_nothing_is_overwritten(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = repo.with_name("r.wacz")
    target.write_text("mine")
    assert run(["export", str(repo), "--wacz", str(target)]) == ExitCode.USAGE
    assert "exists already" in capsys.readouterr().err
    assert target.read_text() == "mine"


def test_damage_is_told_and_not_exported(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = min((repo / "archive").glob("*.warc.gz"))
    path.write_bytes(path.read_bytes()[:-1])
    target = repo.with_name("r.wacz")
    assert run(["export", str(repo), "--wacz", str(target)]) == ExitCode.DAMAGED
    assert path.name in capsys.readouterr().err
    assert [each.name for each in repo.parent.iterdir()] == ["r"]


def test_what_cannot_be_exported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = str(tmp_path / "x.wacz")
    assert run(["export", str(tmp_path / "none"), "--wacz", target]) == ExitCode.NOT_FOUND
    new_repository(tmp_path / "empty").close()
    assert run(["export", str(tmp_path / "empty"), "--wacz", target]) == ExitCode.NOT_FOUND
    assert "nothing was recorded" in capsys.readouterr().err
    assert run(["export", str(tmp_path / "empty")]) == ExitCode.USAGE
    assert run(["export", str(tmp_path / "empty"), "nodes", "--to", target]) == ExitCode.NOT_FOUND


def test_tables_to_a_folder(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = repo.with_name("out")
    command = ["export", str(repo), "nodes", "captures", "--to", str(folder), "--format", "csv"]
    assert run([*command, "--png"]) == ExitCode.DONE
    said = capsys.readouterr()
    assert said.out == f"{folder}\n"
    assert "6 rows, 3 files" in said.err
    id_ = capture_id(make_capture(1).info)
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.*")) == [
        "captures.csv",
        "manifest.json",
        "nodes.csv",
        f"screenshots/{id_}.png",
    ]
    assert (folder / "nodes.csv").read_bytes().count(b"\r\n") == 6


def test_tables_as_json(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = repo.with_name("out")
    command = [
        "export",
        str(repo),
        "links",
        "--to",
        str(folder),
        "--columns",
        "node, url",
        "--json",
    ]
    assert run(command) == ExitCode.DONE
    told = json.loads(capsys.readouterr().out)
    assert told.pop("folder") == str(folder)
    assert told == json.loads((folder / "manifest.json").read_bytes())
    assert told["tables"]["links"]["columns"] == ["node", "url"]
    assert told["tables"]["links"]["files"][0]["file"] == "links.parquet"


def test_an_older_release(repo: Path) -> None:
    with open_repository(repo) as repository:
        repository.publish()
    for number, captures in ((1, 1), (2, 2)):
        folder = repo.with_name(f"out-{number}")
        command = ["export", str(repo), "captures", "--to", str(folder), "--format", "jsonl"]
        assert run([*command, "--release", str(number)]) == ExitCode.DONE
        assert (folder / "captures.jsonl").read_bytes().count(b"\n") == captures


def test_mistakes(repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = repo.with_name("out")
    start = ["export", str(repo)]
    to = ["--to", str(folder)]
    assert run([*start, *to]) == ExitCode.USAGE
    assert run([*start, "nodes"]) == ExitCode.USAGE
    assert run([*start, "nodes", "--wacz", str(folder)]) == ExitCode.USAGE
    assert run([*start, *to, "--wacz", str(folder)]) == ExitCode.USAGE
    assert run([*start, "nodes", *to, "--format", "xls"]) == ExitCode.USAGE
    capsys.readouterr()
    assert run([*start, "noodles", *to]) == ExitCode.NOT_FOUND
    assert "did you mean nodes?" in capsys.readouterr().err
    assert run([*start, "nodes", *to, "--columns", "naem"]) == ExitCode.NOT_FOUND
    assert "did you mean name?" in capsys.readouterr().err
    assert run([*start, "nodes", *to, "--release", "9"]) == ExitCode.NOT_FOUND
    assert not folder.exists()
    assert run([*start, "nodes", *to]) == ExitCode.DONE
    assert run([*start, "nodes", *to]) == ExitCode.USAGE
    assert run([*start, "nodes", *to, "--overwrite"]) == ExitCode.DONE
