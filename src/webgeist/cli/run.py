"""Runs a command line and turns however it ends into an exit code and a message."""

from __future__ import annotations

import errno
import os
import sys
import traceback
from typing import TYPE_CHECKING

import typer

from webgeist.cli.app import root_command
from webgeist.cli.exits import ExitCode
from webgeist.cli.session import Session
from webgeist.errors import StorageError, UsageError, WebgeistError

if TYPE_CHECKING:
    from collections.abc import Sequence

PROGRAM = "webgeist"
_COMPLETION = "_WEBGEIST_COMPLETE"  # set by the shell's completion script
_FULL = (errno.ENOSPC, errno.EDQUOT)


def run(args: Sequence[str]) -> int:
    """The exit code. Everything that is to be said has been said when this returns."""
    session = Session()
    try:
        code = _invoke(args, session)
        session.output.flush()
    except BrokenPipeError:  # the reader had enough: what is left has nowhere to go
        _discard_stdout()
        return ExitCode.ERROR
    except (KeyboardInterrupt, typer.Abort):
        session.output.error("interrupted")
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001  the border: nothing may end in a bare traceback
        return _report(error, session, as_json="--json" in args)
    return code


def _invoke(args: Sequence[str], session: Session) -> int:
    command = root_command()
    if _COMPLETION in os.environ:
        command.main(args=list(args), prog_name=PROGRAM)
    try:
        with command.make_context(PROGRAM, list(args), obj=session) as ctx:
            command.invoke(ctx)
    except typer.Exit as ended:
        return ended.exit_code
    return ExitCode.DONE


def _report(error: Exception, session: Session, *, as_json: bool) -> int:
    output = session.output
    known = _known(error)
    if output.verbose and not isinstance(error, (WebgeistError, typer.TyperException)):
        output.messages.print("".join(traceback.format_exception(error)), markup=False)
    output.error(known.message, known.remedy)
    if as_json:
        _report_as_json(known, session)
    return known.exit_code


def _report_as_json(error: WebgeistError, session: Session) -> None:
    try:
        session.output.json(
            {
                "error": {
                    "type": type(error).__name__,
                    "message": error.message,
                    "remedy": error.remedy,
                    "exit_code": error.exit_code,
                }
            }
        )
    except OSError:  # stdout is what failed, and the message is on stderr already
        _discard_stdout()


def _known(error: Exception) -> WebgeistError:
    """Any exception as one of ours, with its exit code and remedy."""
    match error:
        case WebgeistError():
            return error
        case typer.TyperException():
            ctx: typer.Context | None = getattr(error, "ctx", None)
            path = ctx.command_path if ctx else PROGRAM
            return UsageError(error.format_message(), remedy=f"{path} --help")
        case OSError() if error.errno in _FULL:
            _discard_stdout()
            return StorageError(f"cannot write: {error.strerror}", remedy="free some space")
        case _:
            return WebgeistError(
                f"unexpected {type(error).__name__}: {error}",
                remedy="the same command as webgeist -v … shows where; please report it",
            )


def _discard_stdout() -> None:
    """Stop Python from complaining about stdout once more while it exits."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
