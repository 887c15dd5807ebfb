"""webgeist crawl: what it says, how it ends, how it goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.check import check
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from tests.conftest import Site

PROGRAM = Path(sys.executable).parent / "webgeist"


class Command:
    """`webgeist crawl` into one repository, quickly and on this machine."""

    def __init__(self, repo: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.repo = repo
        self._capsys = capsys
        self.err = ""

    def arguments(self, *args: str) -> list[str]:
        return ["crawl", *args, "--repo", str(self.repo), "--allow-private", "--delay", "0"]

    def __call__(self, *args: str, code: ExitCode = ExitCode.DONE) -> Any:
        assert run([*self.arguments(*args), "--json"]) == code
        said = self._capsys.readouterr()
        self.err = said.err
        return json.loads(said.out)


@pytest.fixture
def crawl(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path / "repository", capsys)


def links(*paths: str) -> str:
    return "<p>words " + "".join(f"<a href={path}>{path}</a>" for path in paths)


def test_a_site_becomes_a_release(site: Site, crawl: Command) -> None:
    seed = site.add("/", links("/a", "/gone"))
    site.add("/a", links("/"))
    said = crawl(seed)
    assert {name: said[name] for name in ("done", "failed", "skipped", "queued", "end")} == {
        "done": 2,
        "failed": 1,
        "skipped": 0,
        "queued": 0,
        "end": "complete",
    }
    assert said["failures"] == {
        "http-error: the server answered 404 with no page but text/plain": 1
    }
    assert "crawl.contact is not set" in crawl.err
    assert check(crawl.repo) == []
    with open_repository(crawl.repo, readonly=True) as repository:
        assert len(repository.release(said["release"])) == 3


def test_without_seeds_the_last_crawl_goes_on_in_its_bounds(site: Site, crawl: Command) -> None:
    seed = site.add("/", links("/a", "/b"))
    site.add("/a", links())
    site.add("/b", links())
    assert crawl(seed, "--pages", "1")["end"] == "pages"
    again = crawl()
    assert (again["done"], again["visited"]) == (1, 0)
    assert crawl("--pages", "2")["done"] == 2
    assert crawl(seed)["end"] == "complete"


def test_failures_are_told_by_the_exit_code(site: Site, crawl: Command) -> None:
    seed = site.add("/", links("/gone"))
    assert run(crawl.arguments(seed, "--max-failures", "0")) == ExitCode.FAILED_PAGES
    assert run(crawl.arguments(seed, "--max-failures", "1")) == ExitCode.DONE
    assert run(crawl.arguments(site.url("/nothing"))) == ExitCode.FAILED_PAGES


def test_the_gate_is_closed_without_being_asked(
    site: Site, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seed = site.add("/", links())
    assert run(["crawl", seed, "--repo", str(tmp_path / "r")]) == ExitCode.FAILED_PAGES
    assert "withheld" in capsys.readouterr().out
    assert site.log == []


def test_robots_are_obeyed_unless_told_otherwise(site: Site, crawl: Command) -> None:
    site.add("/robots.txt", "User-agent: *\nDisallow: /")
    seed = site.add("/", links())
    said = crawl(seed)
    assert (said["done"], said["skips"]) == (0, {"robots.txt forbids it": 1})
    assert crawl(seed, "--ignore-robots", "--refresh", "0")["done"] == 1


@pytest.mark.parametrize(
    ("args", "word"),
    [
        (["http://127.0.0.1:1/", "--scope", "town"], "page, prefix, site, host"),
        (["http://127.0.0.1:1/", "--include", "("], "regular expression"),
        (["http://127.0.0.1:1/", "--max-time", "soon"], "length of time"),
        (["http://127.0.0.1:1/", "--max-size", "big"], "no size"),
        (["http://127.0.0.1:1/", "--viewport", "tiny"], "no viewport"),
        (["nothing"], "no address of a page"),
        (["--depth", "2"], "keeps its scope"),
    ],
)
def test_what_makes_no_sense_is_refused(
    crawl: Command, args: list[str], word: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(crawl.arguments(*args)) == ExitCode.USAGE
    assert word in capsys.readouterr().err
    assert not crawl.repo.exists()


def test_there_must_be_something_to_go_on_with(
    crawl: Command, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(crawl.arguments()) == ExitCode.NOT_FOUND
    assert run(["init", str(crawl.repo)]) == ExitCode.DONE
    assert run(crawl.arguments()) == ExitCode.USAGE
    assert "name the seeds" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_stops_with_everything_saved(
    site: Site, crawl: Command, number: signal.Signals
) -> None:
    seed = site.add("/", links("/slow"))
    site.add("/slow", status=None)
    command = [str(PROGRAM), *crawl.arguments(seed)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert site.asked["/slow"].wait(60)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == ExitCode.INTERRUPTED
    assert b"webgeist crawl goes on" in out
    assert b"Traceback" not in err
    assert psutil.wait_procs(children, timeout=20)[1] == []
    assert check(crawl.repo) == []
    site.add("/slow", links())
    said = crawl()
    assert (said["done"], said["visited"], said["end"]) == (2, 1, "complete")


def test_auto_visits_again_what_changes_often(site: Site, crawl: Command) -> None:
    paragraphs = [f"{word} people came to the town hall to see the new bridge" for word in "abcd"]
    seed = site.add("/", "<main><h1>News</h1><p>" + paragraphs[0])
    for paragraph in paragraphs[1:]:
        _an_hour_and_a_bit_later(crawl.repo)
        site.add("/", "<main><h1>News</h1><p>" + paragraph)
        crawl(seed, "--refresh", "0")
    assert crawl(seed, "--refresh", "auto")["visited"] == 0, "an hour is the least"
    _an_hour_and_a_bit_later(crawl.repo)
    assert crawl(seed, "--refresh", "auto")["visited"] == 1


def _an_hour_and_a_bit_later(repo: Path) -> None:
    """Let all that was visited have been visited earlier."""
    if (repo / "state.db").exists():
        with open_repository(repo) as repository, repository.transaction() as connection:
            connection.exec_driver_sql("UPDATE frontier SET visited = visited - 4000")
