"""The frame of the command line: help, version, how commands end, and what reaches a terminal."""

from __future__ import annotations

import io
import json
import logging
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import typer

from webgeist import __version__
from webgeist.cli import app as frame
from webgeist.cli.exits import ExitCode
from webgeist.cli.lazy import LazyCommand
from webgeist.cli.logs import HumanFormatter, JsonFormatter, configure_logs
from webgeist.cli.output import Output, one_line, printable, to_json
from webgeist.cli.run import run
from webgeist.errors import LimitError, SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

PROGRAM = Path(sys.executable).parent / "webgeist"
HEAVY = ("numpy", "playwright", "pyarrow", "pydantic", "starlette", "uvicorn", "websockets")


def _webgeist(*args: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PROGRAM, *args],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.fixture
def fails(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Adds a command `fail [--json]` that raises what the test wants."""

    def add(error: BaseException) -> None:
        app = typer.Typer(add_completion=False)

        @app.command()
        def fail(as_json: bool = typer.Option(False, "--json")) -> None:
            raise error

        command = LazyCommand("fail", "tests.none", "Fails.")
        monkeypatch.setattr(command, "load", lambda: typer.main.get_command(app))
        monkeypatch.setattr(frame, "COMMANDS", (command,))

    return add


def test_version() -> None:
    ended = _webgeist("--version")
    assert (ended.returncode, ended.stdout) == (0, f"webgeist {__version__}\n")


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_import_nothing_heavy(argument: str) -> None:
    code = (
        "import sys; from webgeist.cli.run import run; run(sys.argv[1:]);"
        f"sys.stderr.write(' '.join(name for name in {HEAVY} if name in sys.modules))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code, argument], capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")


def test_help_lists_the_commands_in_the_order_of_the_work(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["--help"]) == ExitCode.DONE
    listed = capsys.readouterr().out.partition("Commands:")[2].split("\n")
    assert [line.split()[0] for line in listed if line.strip()] == [
        command.name for command in frame.COMMANDS
    ]


@pytest.mark.parametrize("command", frame.COMMANDS, ids=lambda command: str(command.name))
def test_each_command_can_be_loaded_and_its_help_has_an_example(
    command: LazyCommand, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([str(command.name), "--help"]) == ExitCode.DONE
    assert f"webgeist {command.name}" in capsys.readouterr().out.partition("Example")[2]


def test_nothing_asked_shows_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert run([]) == ExitCode.USAGE
    assert "Usage: webgeist" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "said", "remedy"),
    [
        (["confg"], "Did you mean 'config'?", "try: webgeist --help"),
        (["config", "show", "--origins"], "--origins", "try: webgeist config show --help"),
        (["config"], "Missing command", "try: webgeist config --help"),
        (["samples", "serve", "--port", "x"], "--port", "try: webgeist samples serve --help"),
    ],
)
def test_wrong_usage(
    args: list[str], said: str, remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args) == ExitCode.USAGE
    captured = capsys.readouterr()
    first, second = captured.err.strip().split("\n")
    assert first.startswith("error: ")
    assert said in first
    assert second == remedy
    assert captured.out == ""


def test_known_error_is_one_line_and_a_remedy(
    fails: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    fails(LimitError("too many\nnodes\x1b[2J", remedy="raise limits.nodes"))
    assert run(["fail"]) == ExitCode.LIMIT
    captured = capsys.readouterr()
    assert captured.err == "error: too many nodes[2J\ntry: raise limits.nodes\n"
    assert captured.out == ""


def test_error_is_data_too_with_json(
    fails: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    fails(SettingsError("wrong", remedy="right"))
    assert run(["fail", "--json"]) == ExitCode.SETTINGS
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {
        "error": {"type": "SettingsError", "message": "wrong", "remedy": "right", "exit_code": 4}
    }
    assert "error: wrong" in captured.err


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (typer.Exit(ExitCode.FAILED_PAGES), ExitCode.FAILED_PAGES),
        (KeyboardInterrupt(), ExitCode.INTERRUPTED),
        (OSError(28, "No space left on device"), ExitCode.STORAGE),
        (ZeroDivisionError("oops"), ExitCode.ERROR),
    ],
    ids=lambda value: type(value).__name__,
)
def test_how_a_command_ends(
    fails: Callable[[BaseException], None],
    capfd: pytest.CaptureFixture[str],
    error: BaseException,
    code: ExitCode,
) -> None:
    fails(error)
    assert run(["fail"]) == code


def test_traceback_only_when_asked_for(
    fails: Callable[[BaseException], None], capsys: pytest.CaptureFixture[str]
) -> None:
    fails(ZeroDivisionError("oops"))
    run(["fail"])
    quiet = capsys.readouterr().err
    run(["-v", "fail"])
    verbose = capsys.readouterr().err
    assert "error: unexpected ZeroDivisionError: oops" in quiet
    assert "Traceback" not in quiet
    assert "Traceback" in verbose


def test_closed_pipe_ends_quietly() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    ended = subprocess.run(
        [PROGRAM, "config", "show"], stdout=writer, stderr=subprocess.PIPE, check=False
    )
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (ExitCode.ERROR, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_full_disk_under_stdout_is_said(extra: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        ended = subprocess.run(
            [PROGRAM, "config", "show", *extra], stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert ended.returncode == ExitCode.STORAGE
    assert ended.stderr.count(b"\n") == 2


def test_kill_is_an_interruption() -> None:
    code = (
        "import os, signal, sys, threading, webgeist.cli.run as module;"
        "from webgeist.cli import main;"
        "module._invoke = lambda *_: (os.kill(os.getpid(), signal.SIGTERM), threading.Event().wait());"
        "main()"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stderr) == (ExitCode.INTERRUPTED, "error: interrupted\n")
    assert ended.returncode != -signal.SIGTERM


def test_colour_follows_no_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[31m" in _said_in_colour()
    monkeypatch.setenv("NO_COLOR", "1")
    assert _said_in_colour() == "error: wrong\n"


def _said_in_colour() -> str:
    stderr = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    Output(stderr=stderr).error("wrong")
    return _written(stderr)


def test_completion_knows_lazy_commands_and_their_options() -> None:
    def completed(words: str) -> list[str]:
        count = str(len(words.split(" ")) - 1)
        ended = _webgeist(_WEBGEIST_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=count)
        return ended.stdout.split()

    assert completed("webgeist conf") == ["config"]
    assert completed("webgeist config sh") == ["show"]
    assert completed("webgeist config show --ori") == ["--origin"]


@dataclass
class Streams:
    stdout: io.TextIOWrapper
    stderr: io.TextIOWrapper


@pytest.fixture
def streams() -> Streams:
    return Streams(
        *(io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    )


def _written(stream: io.TextIOWrapper) -> str:
    stream.seek(0)
    return stream.read()


@pytest.mark.parametrize(
    ("quiet", "verbose", "expected"),
    [
        (False, False, "going on\nwarning: careful\n"),
        (True, False, "warning: careful\n"),
        (False, True, "going on\nfine print\nwarning: careful\n"),
    ],
)
def test_messages_follow_quiet_and_verbose(
    streams: Streams, quiet: bool, verbose: bool, expected: str
) -> None:
    output = Output(quiet=quiet, verbose=verbose, stdout=streams.stdout, stderr=streams.stderr)
    output.say("going on")
    output.detail("fine print")
    output.warn("careful")
    output.data("data")
    assert _written(streams.stderr) == expected
    assert _written(streams.stdout) == "data\n"


def test_long_message_and_markup_stay_as_they_are(streams: Streams) -> None:
    message = "[red]" + "x" * 500
    Output(stdout=streams.stdout, stderr=streams.stderr).say(message)
    assert _written(streams.stderr) == message + "\n"


def test_nothing_harmful_reaches_the_terminal() -> None:
    assert (
        printable("a\x1b]0;title\x07b\x9b2J\x7f\u202ec\nd\te\udcff") == "a]0;titleb2Jc\nd\te\ufffd"
    )
    assert one_line(" a\n\n b\t\x00c ") == "a b c"


def test_json_keeps_data_whole_and_escapes_controls() -> None:
    value = {"title": "a\x1b\x9b\x7f é", "path": "b"}
    data = to_json(value)
    assert json.loads(data) == value
    assert data.endswith(b"}\n")
    assert not any(raw in data for raw in (b"\x1b", b"\x7f", "\x9b".encode()))
    assert "é".encode() in data


def test_json_of_a_name_that_is_not_utf8() -> None:
    @dataclass
    class Record:
        name: str

    value = {"name": "a\udcff.html", "record": Record("b\udcff"), "path": Path("c")}
    assert json.loads(to_json(value)) == {
        "name": "a\udcff.html",
        "record": {"name": "b\udcff"},
        "path": "c",
    }


def test_log_lines_for_people_and_for_programs() -> None:
    record = logging.LogRecord("webgeist.capture", 30, "f", 1, "slow\x1b %s", ("page\n",), None)
    record.created = 0.5
    assert HumanFormatter().format(record) == "warning: slow page"
    assert json.loads(JsonFormatter().format(record)) == {
        "time": "1970-01-01T00:00:00.500+00:00",
        "level": "warning",
        "logger": "webgeist.capture",
        "message": "slow page",
    }


def test_wrong_log_form_is_a_settings_error() -> None:
    ended = _webgeist("config", "show", WEBGEIST_LOG="xml")
    assert ended.returncode == ExitCode.SETTINGS
    assert "WEBGEIST_LOG" in ended.stderr


@pytest.mark.parametrize(
    ("quiet", "verbose", "levels"),
    [
        (False, False, ["warning", "error"]),
        (True, False, ["error"]),
        (False, True, ["debug", "warning", "error"]),
    ],
)
def test_log_levels(
    capsys: pytest.CaptureFixture[str], quiet: bool, verbose: bool, levels: list[str]
) -> None:
    logger = logging.getLogger("webgeist")
    before = (logger.handlers[:], logger.level)
    try:
        configure_logs({"WEBGEIST_LOG": "json"}, quiet=quiet, verbose=verbose)
        for level in (logging.DEBUG, logging.WARNING, logging.ERROR):
            logging.getLogger("webgeist.test").log(level, "x")
    finally:
        logger.handlers[:], logger.level = before
    assert [json.loads(line)["level"] for line in capsys.readouterr().err.splitlines()] == levels
