"""`webgeist capture` as a user runs it: what it says, how it exits, what it leaves behind."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest

from webgeist.capture.find import find_browser
from webgeist.capture.folder import open_capture
from webgeist.cli.exits import ExitCode
from webgeist.samples.museum.servers import closed_port, nasty

if TYPE_CHECKING:
    from tests.conftest import Site

PROGRAM = Path(sys.executable).parent / "webgeist"
# No name but localhost is resolved: nothing leaves the machine.
ONLY_HERE = '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"'
FILES = {
    *("capture.json", "links.parquet", "nodes.parquet", "requests.parquet", "screenshot-0.jpg"),
    *("styles_inherited.parquet", "styles_own.parquet", "thumbnail.jpg"),
}
# The document that scripts read: keys may be added, none may go.
SUMMARY = {
    *("ok", "outcome", "reason", "requested_url", "url", "status", "title", "time", "viewport"),
    *("settled", "nodes", "links", "requests", "screenshot", "stages_ms", "folder"),
}


class Shell:
    """A folder to work in, with a temporary folder of its own that must be empty afterwards."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.out = folder / "captures"
        self.temporary = folder / "temporary"
        self.temporary.mkdir()

    def environ(self, **more: str) -> dict[str, str]:
        limits = {
            "WEBGEIST_BROWSER_ARGUMENTS": ONLY_HERE,
            "WEBGEIST_GATE_ALLOW_PRIVATE": "true",
            "WEBGEIST_LIMITS_NAVIGATION_SECONDS": "10",
        }
        return {**os.environ, "TMPDIR": str(self.temporary), **limits, **more}

    def start(self, *args: str, **environ: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [PROGRAM, "capture", *args],
            cwd=self.folder,
            env=self.environ(**environ),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def run(self, *args: str, **environ: str) -> Ended:
        with self.start(*args, **environ) as process:
            out, err = process.communicate(timeout=120)
        return Ended(process.returncode, out, err)

    def left(self) -> list[str]:
        """Everything that a command left in the folder, captures that are complete aside."""
        known = {path.parent for path in self.out.glob("*/*/capture.json")}
        files = [path for path in self.folder.rglob("*") if path.is_file()]
        return sorted(str(path) for path in files if path.parent not in known)


class Ended:
    """How a command ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code = ExitCode(code)
        self.out = out
        self.err = err

    @property
    def captures(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = json.loads(self.out)["captures"]
        return found

    @property
    def error(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.out)["error"]
        return found


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_a_page_becomes_a_folder_that_can_be_opened(shell: Shell, site: Site) -> None:
    url = site.add("/a/page", "<title>Hello</title><p>words <a href=/b>more</a>")
    ended = shell.run(url, "--json")
    assert ended.code is ExitCode.DONE, ended.err
    assert "1 captured, 0 failed" in ended.err
    [summary] = ended.captures
    assert set(summary) >= SUMMARY
    assert summary["ok"] is True
    assert (summary["outcome"], summary["title"], summary["links"]) == ("ok", "Hello", 1)
    folder = shell.folder / summary["folder"]
    assert folder.is_relative_to(shell.out)
    assert {path.name for path in folder.iterdir()} >= FILES
    capture = open_capture(folder)
    assert capture.info.url == url
    assert capture.page is not None
    assert capture.screenshot is not None
    assert shell.left() == []


def test_several_pages_are_told_line_by_line(shell: Shell, site: Site) -> None:
    pages = [site.add("/1", "<p>one"), site.add("/2", "<p>two"), site.add("/3", status=404)]
    ended = shell.run(*pages, "--screenshot", "none", "--out", str(shell.out))
    assert ended.code is ExitCode.FAILED_PAGES
    assert ended.out == ""
    lines = [line for line in ended.err.splitlines() if line[:2] in {"1/", "2/", "3/"}]
    assert [line.split()[1] for line in lines] == ["ok", "ok", "http-error"]
    assert "2 captured, 1 failed" in ended.err
    assert len(list(shell.out.glob("*/*/capture.json"))) == 3


def test_a_saved_file_is_shown_under_its_address(shell: Shell) -> None:
    (shell.folder / "saved page.html").write_text("<title>Saved</title><p>words<img src=/x.png>")
    url = "https://example.org/dir/page"
    ended = shell.run("saved page.html", "--url", url, "--json")
    assert ended.code is ExitCode.DONE, ended.err
    [summary] = ended.captures
    assert (summary["url"], summary["title"]) == (url, "Saved")


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["nonsense"], ExitCode.USAGE, "neither a URL nor a file"),
        (["example.org/x"], ExitCode.USAGE, "https://example.org/x"),
        (["ftp://example.org/"], ExitCode.USAGE, "neither a URL nor a file"),
        (["http://"], ExitCode.USAGE, "neither a URL nor a file"),
        ([""], ExitCode.USAGE, "neither a URL nor a file"),
        ([], ExitCode.USAGE, "--help"),
        (["missing.html"], ExitCode.NOT_FOUND, "there is no file missing.html"),
        (["a.html", "b.html", "--url", "http://x/"], ExitCode.USAGE, "one saved file"),
        (["http://x/", "--url", "http://y/"], ExitCode.USAGE, "--url is for saved files"),
        (["http://x/", "--viewport", "huge"], ExitCode.SETTINGS, "capture.viewport"),
        (["http://x/", "--viewport", "99999x10"], ExitCode.USAGE, "no viewport"),
        (["http://x/", "--screenshot", "gif"], ExitCode.SETTINGS, "capture.screenshot"),
        (["http://x/", "--clock", "noon"], ExitCode.USAGE, "--clock"),
        (["http://x/", "--nonsense"], ExitCode.USAGE, "--nonsense"),
        (["http://x/", "--allow", "here"], ExitCode.SETTINGS, "gate.allow"),
        (["http://x/", "--recorder", "proxy"], ExitCode.USAGE, "--recorder goes with --repo"),
        (["http://x/", "--recorder", "tape", "--repo", "r"], ExitCode.SETTINGS, "recorder.form"),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_remedy(
    shell: Shell, args: list[str], code: ExitCode, words: str
) -> None:
    ended = shell.run(*args)
    assert ended.code is code, ended.err
    assert words in ended.err
    assert "try: " in ended.err
    assert "Traceback" not in ended.err
    assert shell.left() == []


def test_an_error_is_told_as_json_too(shell: Shell) -> None:
    ended = shell.run("missing.html", "--json")
    assert ended.error["exit_code"] == ended.code == ExitCode.NOT_FOUND
    assert ended.error["type"] == "NotFoundError"
    assert ended.error["remedy"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[capture\n", "not valid TOML"),
        ("[capture]\nviewprt = 'mobile'\n", "did you mean capture.viewport?"),
        ("[limits]\nnodes = 'many'\n", "limits.nodes"),
        ("\x00\x01", "TOML"),
    ],
)
def test_a_damaged_settings_file_is_refused(shell: Shell, text: str, words: str) -> None:
    (shell.folder / "webgeist.toml").write_text(text)
    ended = shell.run("http://x/")
    assert ended.code is ExitCode.SETTINGS
    assert "webgeist.toml" in ended.err
    assert words in ended.err


def test_an_unknown_host_is_an_outcome(shell: Shell) -> None:
    ended = shell.run("http://nosuch.invalid/", "--json")
    assert ended.code is ExitCode.FAILED_PAGES
    [summary] = ended.captures
    assert (summary["ok"], summary["outcome"]) == (False, "unknown-host")
    assert summary["reason"] == "net::ERR_NAME_NOT_RESOLVED"
    assert open_capture(shell.folder / summary["folder"]).page is None


def test_a_refused_connection_is_an_outcome(shell: Shell) -> None:
    with closed_port() as port:
        ended = shell.run(f"http://127.0.0.1:{port}/")
    assert ended.code is ExitCode.FAILED_PAGES
    assert f"refused http://127.0.0.1:{port}/" in ended.err


def test_the_gate_says_what_would_let_a_page_pass(shell: Shell, site: Site) -> None:
    url = site.add("/", "<p>private")
    ended = shell.run(url, WEBGEIST_GATE_ALLOW_PRIVATE="false")
    assert ended.code is ExitCode.FAILED_PAGES
    [line] = [line for line in ended.err.splitlines() if line.startswith("1/1 ")]
    assert line.startswith(f"1/1 withheld {url}")
    assert "--allow-private" in line
    assert "--allow" in line
    assert site.log == []


@pytest.mark.parametrize(
    "flags", [["--allow-private"], ["--allow", "::1", "--allow", "127.0.0.0/8"]]
)
def test_the_gate_is_opened_by_flags(shell: Shell, site: Site, flags: list[str]) -> None:
    ended = shell.run(site.add("/", "<p>words"), *flags, WEBGEIST_GATE_ALLOW_PRIVATE="false")
    assert ended.code is ExitCode.DONE, ended.err
    assert site.log == ["/"]


def test_a_bad_certificate_is_an_outcome(shell: Shell) -> None:
    with nasty("tls-self-signed") as address:
        ended = shell.run(address.url, "--json")
    assert ended.code is ExitCode.FAILED_PAGES
    assert ended.captures[0]["outcome"] == "certificate"


def test_a_time_out_is_an_outcome(shell: Shell, site: Site) -> None:
    url = site.add("/", status=None)
    ended = shell.run(url, "--json", WEBGEIST_LIMITS_NAVIGATION_SECONDS="1")
    assert ended.code is ExitCode.FAILED_PAGES
    assert ended.captures[0]["outcome"] == "timeout"


def test_a_page_that_shows_nothing_is_no_failure(shell: Shell, site: Site) -> None:
    ended = shell.run(site.add("/", ""), "--json")
    assert ended.code is ExitCode.DONE
    assert (ended.captures[0]["ok"], ended.captures[0]["outcome"]) == (True, "empty")


def browser_script(shell: Shell, text: str) -> str:
    path = shell.folder / "browser"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_a_missing_browser_is_an_error(shell: Shell) -> None:
    ended = shell.run("http://x/", "--json", WEBGEIST_BROWSER_EXECUTABLE="/nonexistent/chromium")
    assert ended.code is ExitCode.BROWSER
    assert "/nonexistent/chromium" in ended.error["message"]
    assert ended.error["remedy"]


@pytest.mark.parametrize("text", ["echo no display >&2; exit 1", "exit 0", "kill -9 $$"])
def test_a_browser_that_ends_at_once_is_an_error(shell: Shell, text: str) -> None:
    script = browser_script(shell, text)
    ended = shell.run("http://x/", WEBGEIST_BROWSER_EXECUTABLE=script)
    assert ended.code is ExitCode.BROWSER
    assert "did not start" in ended.err
    assert ("no display" in ended.err) == ("no display" in text)
    assert shell.left() == [script]


def test_a_browser_that_hangs_is_an_error(shell: Shell) -> None:
    script = browser_script(shell, "exec sleep 600")
    environ = {"WEBGEIST_BROWSER_EXECUTABLE": script, "WEBGEIST_BROWSER_START_SECONDS": "0.5"}
    ended = shell.run("http://x/", **environ)
    assert ended.code is ExitCode.BROWSER
    assert "did not start" in ended.err


def test_a_browser_that_is_killed_is_an_outcome(shell: Shell, site: Site) -> None:
    stuck = site.add("/stuck", "<p>words<script src=/never></script>")
    site.add("/never", status=None)
    with shell.start(stuck, site.add("/fine", "<p>words"), "--json") as process:
        assert site.asked["/never"].wait(60)
        [browser] = psutil.Process(process.pid).children()
        os.killpg(browser.pid, signal.SIGKILL)  # also where it is a script that runs Chromium
        out, err = process.communicate(timeout=60)
    ended = Ended(process.returncode, out, err)
    assert [summary["outcome"] for summary in ended.captures] == ["browser-died", "ok"]
    assert ended.code is ExitCode.BROWSER


def test_a_place_where_nothing_can_be_written_is_an_error(shell: Shell, site: Site) -> None:
    file = shell.folder / "file"
    file.write_text("in the way")
    ended = shell.run(site.add("/", "<p>words"), "--out", str(file / "captures"), "--json")
    assert ended.code is ExitCode.STORAGE
    assert ended.error["remedy"] == "a file stands where a folder is needed: choose another folder"
    assert shell.left() == [str(file)]


def test_a_disk_that_takes_no_more_leaves_no_half_capture(shell: Shell, site: Site) -> None:
    """Files may be no larger than 20 kB for the command: writing fails in the middle."""
    words = (sha256(b"%d" % n).hexdigest() for n in range(1000))  # that no table makes smaller
    url = site.add("/", f"<p>{' '.join(words)}")
    chromium = find_browser(None, environ=os.environ).path
    script = browser_script(shell, f'ulimit -S -f unlimited\nexec {chromium} "$@"')
    with shell.start(url, WEBGEIST_BROWSER_EXECUTABLE=script) as process:
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (20_000, resource.RLIM_INFINITY))
        _, err = process.communicate(timeout=120)
    assert ExitCode(process.returncode) is ExitCode.STORAGE, err
    assert "cannot write" in err
    assert site.log == ["/"]
    assert shell.left() == [script]


def test_a_full_standard_output_is_told(shell: Shell) -> None:
    command = [str(PROGRAM), "capture", "http://nosuch.invalid/", "--json"]
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            command,
            cwd=shell.folder,
            env=shell.environ(),
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    assert ExitCode(ended.returncode) is ExitCode.STORAGE
    assert "free some space" in ended.stderr


def test_an_interruption_leaves_what_was_done_and_nothing_else(shell: Shell, site: Site) -> None:
    done, stuck = site.add("/done", "<p>words"), site.add("/stuck", status=None)
    with shell.start(done, stuck) as process:
        assert site.asked["/stuck"].wait(60)
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert ExitCode(process.returncode) is ExitCode.INTERRUPTED, err
    assert "interrupted" in err
    assert "Traceback" not in err
    assert children
    assert psutil.wait_procs(children, timeout=20)[1] == []
    [kept] = shell.out.glob("*/*")
    assert open_capture(kept).info.url == done
    assert shell.left() == []


def test_an_interruption_while_the_browser_starts_leaves_nothing(shell: Shell) -> None:
    pipe = shell.folder / "started"
    os.mkfifo(pipe)
    script = browser_script(shell, f"echo started > {pipe}\nexec sleep 600")
    with shell.start("http://x/", WEBGEIST_BROWSER_EXECUTABLE=script) as process:
        assert pipe.read_text() == "started\n"
        children = psutil.Process(process.pid).children(recursive=True)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
    assert ExitCode(process.returncode) is ExitCode.INTERRUPTED, err
    assert psutil.wait_procs(children, timeout=20)[1] == []
    assert list(shell.temporary.iterdir()) == []
