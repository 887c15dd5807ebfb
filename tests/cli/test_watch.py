"""webgeist watch: rounds over a real site, with real channels."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.watch.servers import hook, post

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.check import check
from webgeist.repository.locks import WriterLock
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from tests.conftest import Site

PROGRAM = Path(sys.executable).parent / "webgeist"
EDITED = news(PROSE.replace("three", "five"), MORE, LAST)
WALL = "<title>403</title><h1>Access denied</h1><p>Please verify you are human."


class Watch:
    """`webgeist watch --once` on one page, which is due each time."""

    def __init__(self, repo: Path, url: str, capsys: pytest.CaptureFixture[str]) -> None:
        self.repo = repo
        self.url = url
        self._capsys = capsys
        self.err = ""

    def arguments(self, *more: str) -> list[str]:
        place = ["--repo", str(self.repo), "--allow-private", "--delay", "0"]
        return ["watch", self.url, "--every", "1s", *place, *more]

    def __call__(self, *more: str, code: ExitCode = ExitCode.DONE) -> list[dict[str, Any]]:
        _age(self.repo)
        assert run([*self.arguments(*more), "--once", "--jsonl"]) == code
        said = self._capsys.readouterr()
        self.err = said.err
        return [json.loads(line) for line in said.out.splitlines()]


def _age(repo: Path) -> None:
    """Let all visits be an hour ago."""
    if (repo / "state.db").exists():
        with open_repository(repo) as repository, repository.transaction() as connection:
            connection.exec_driver_sql("UPDATE frontier SET visited = visited - 3600")


@pytest.fixture
def watch(tmp_path: Path, site: Site, capsys: pytest.CaptureFixture[str]) -> Watch:
    return Watch(tmp_path / "r", site.add("/news", news()), capsys)


def test_news_are_told_once_and_to_every_channel(
    site: Site, watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with hook() as heard, post() as office:
        settings = {
            "SMTP_PORT": str(office.port),
            "SMTP_HOST": "127.0.0.1",
            "SMTP_SECURITY": "none",
        }
        for name, value in settings.items():
            monkeypatch.setenv(f"WEBGEIST_WATCH_{name}", value)
        to = ["--file", str(tmp_path / "n.jsonl"), "--webhook", heard.url, "--mail", "me@a.test"]
        assert watch(*to) == []
        site.add("/news", EDITED)
        (notice,) = watch(*to, "--exit-code", code=ExitCode.CHANGED)
        assert notice["subject"] == watch.url
        assert "1 paragraph edited" in notice["reason"]
        assert watch(*to, "--exit-code") == []
        assert heard.got == [notice]
        assert json.loads((tmp_path / "n.jsonl").read_text()) == notice
        assert [notice["id"] in message for message in office.messages] == [True]
    assert check(watch.repo) == []


def test_what_a_channel_did_not_take_waits_for_the_next_round(site: Site, watch: Watch) -> None:
    with hook() as heard:
        watch("--webhook", heard.url)
        heard.status = 500
        site.add("/news", EDITED)
        (notice,) = watch("--webhook", heard.url, code=ExitCode.ERROR)
        assert "answered 500" in watch.err
        heard.status = 200
        with open_repository(watch.repo) as repository, repository.transaction() as connection:
            connection.exec_driver_sql("UPDATE watch_outbox SET next_try = 0")
        assert watch("--webhook", heard.url) == [], "the console has it already"
        assert [each["id"] for each in heard.got] == [notice["id"], notice["id"]]


def test_a_bot_wall_raises_no_alarm(
    site: Site, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBGEIST_CRAWL_ATTEMPTS", "1")
    watch()
    site.add("/news", WALL)
    assert watch("--exit-code", code=ExitCode.FAILED_PAGES) == []
    assert "not comparable" in watch.err
    site.add("/news", EDITED)
    assert len(watch()) == 1


def test_a_query_whose_answer_changed(site: Site, watch: Watch) -> None:
    query = '{"$from": "@page", "$select": ["url", "title"]}'
    watch("--query", query)
    site.add("/news", news(menu="Games"))
    (notice,) = watch("--query", query)
    assert (notice["kind"], notice["subject"]) == ("query", query)
    assert [row["title"] for row in notice["came"]] == ["News"]


def test_pages_are_not_due_before_their_time(site: Site, watch: Watch) -> None:
    watch()
    site.add("/news", EDITED)
    arguments = watch.arguments("--once")
    arguments[arguments.index("1s")] = "2h"
    assert run(arguments) == ExitCode.DONE
    with open_repository(watch.repo, readonly=True) as repository:
        assert len(repository) == 1


def test_a_dry_run_tells_the_intervals(
    watch: Watch, site: Site, capsys: pytest.CaptureFixture[str]
) -> None:
    watch()
    site.add("/news", EDITED)
    watch()
    at = ["--repo", str(watch.repo), "--dry-run"]
    assert run(["watch", *at, "--refresh", "auto", "--jsonl"]) == ExitCode.DONE
    (due,) = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (due["url"], due["visits"], due["changes"]) == (watch.url, 1, 1)
    assert due["seconds"] == 3600, "the least interval"
    assert run(["watch", *at, "--every", "2d"]) == ExitCode.DONE
    assert "every 2.0 d" in capsys.readouterr().out


def test_there_is_one_watch_at_a_time(watch: Watch) -> None:
    watch()
    lock = WriterLock(watch.repo / "watch.lock")
    try:
        watch(code=ExitCode.DAMAGED)
        assert "in use by process" in watch.err
    finally:
        lock.release()
    watch()


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["http://a.test/", "--every", "0"], ExitCode.USAGE),
        (["http://a.test/", "--every", "soon"], ExitCode.USAGE),
        (["http://a.test/", "--webhook", "nowhere", "--once"], ExitCode.USAGE),
        (["http://a.test/", "--query", "no-such-file", "--once"], ExitCode.NOT_FOUND),
        (["--once"], ExitCode.NOT_FOUND),
        (["--dry-run"], ExitCode.NOT_FOUND),
    ],
)
def test_what_makes_no_sense(options: list[str], code: ExitCode, tmp_path: Path) -> None:
    assert run(["watch", *options, "--repo", str(tmp_path / "none")]) == code


def test_a_user_needs_a_password(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEBGEIST_WATCH_SMTP_USER", "me")
    watch("--mail", "me@a.test", code=ExitCode.SETTINGS)
    assert "WEBGEIST_SMTP_PASSWORD" in watch.err
    monkeypatch.setenv("WEBGEIST_WATCH_SMTP_PASSWORD_FILE", str(tmp_path / "none"))
    watch("--mail", "me@a.test", code=ExitCode.SETTINGS)
    assert "cannot be read" in watch.err


def test_who_is_killed_while_telling_tells_it_again(site: Site, watch: Watch) -> None:
    with hook() as heard:
        watch("--webhook", heard.url)
        site.add("/news", EDITED)
        heard.status = None
        _age(watch.repo)
        command = [str(PROGRAM), *watch.arguments("--once", "--webhook", heard.url)]
        with subprocess.Popen(command) as process:
            assert heard.asked.wait(60)
            process.kill()
        heard.status = 200
        assert watch("--webhook", heard.url) == [], "the console had confirmed before"
        assert watch("--webhook", heard.url) == []
        assert len(heard.got) == 2
        assert heard.got[0]["id"] == heard.got[1]["id"]
    assert check(watch.repo) == []


def test_ctrl_c_ends_it_with_everything_saved(watch: Watch) -> None:
    command = [str(PROGRAM), *watch.arguments()]
    command[command.index("1s")] = "2h"
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        said = [line for line in iter(process.stderr.readline, "") if _rests(line, process)]
    assert process.returncode == ExitCode.INTERRUPTED
    assert any("the next is due in" in line for line in said)
    assert check(watch.repo) == []
    with open_repository(watch.repo, readonly=True) as repository:
        assert len(repository) == 1


def _rests(line: str, process: subprocess.Popen[str]) -> bool:
    """Stops the watch when it waits for the next round."""
    if "the next is due in" in line:
        process.send_signal(signal.SIGINT)
    return True
