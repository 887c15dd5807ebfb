"""Where a command's words go: data to stdout, the rest to stderr, nothing that harms a terminal."""

from __future__ import annotations

import dataclasses
import json
import re
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import orjson
from rich.console import Console
from rich.text import Text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from rich.console import RenderableType

# Terminals act on C0 and C1 controls, and readers are fooled by direction overrides. A lone
# surrogate cannot be encoded at all.
_HARMFUL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_PIPED_WIDTH = 120  # columns of a table that no terminal limits
_RAW_CONTROL = re.compile(rb"\x7f|\xc2[\x80-\x9f]")


def printable(text: str) -> str:
    """The text without anything a terminal would obey; line breaks and tabs stay."""
    return _SURROGATE.sub("\ufffd", _HARMFUL.sub("", text))


def one_line(text: str) -> str:
    """The printable text with all white space as single blanks, for messages and table cells."""
    return " ".join(printable(text).split())


def to_json(value: object) -> bytes:
    """Indented UTF-8 JSON with a line end. The data is whole: control characters are escaped."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:  # a lone surrogate, from a file name or a page
        return json.dumps(value, indent=2, default=_plain).encode() + b"\n"
    return _RAW_CONTROL.sub(lambda match: b"\\u%04x" % ord(match[0].decode()), data)


def to_json_line(value: object) -> bytes:
    """The same in one line."""
    try:
        data = orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except orjson.JSONEncodeError:
        return json.dumps(value, default=_plain).encode() + b"\n"
    return _RAW_CONTROL.sub(lambda match: b"\\u%04x" % ord(match[0].decode()), data)


def _plain(value: object) -> object:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    return str(value)


class Output:
    """What one command says. `quiet` leaves data, warnings and errors; `verbose` adds details."""

    def __init__(
        self,
        *,
        quiet: bool = False,
        verbose: bool = False,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        self.quiet = quiet
        self.verbose = verbose
        self._stdout = stdout or sys.stdout
        # soft_wrap: a message stays one line, so that it can be searched and piped
        self.messages = Console(file=stderr or sys.stderr, soft_wrap=True, highlight=False)

    def data(self, text: str) -> None:
        """A line of data for people."""
        self._stdout.write(printable(text) + "\n")

    def table(self, table: RenderableType) -> None:
        """A Rich table (or other form) for people; cells must have gone through `one_line`."""
        piped = None if self._stdout.isatty() else _PIPED_WIDTH
        Console(file=self._stdout, highlight=False, width=piped).print(table, markup=False)

    def json(self, value: object) -> None:
        """One JSON document."""
        self._stdout.flush()
        self._stdout.buffer.write(to_json(value))
        self._stdout.buffer.flush()

    def line(self, value: object) -> None:
        """One JSON document in one line, at once: whoever reads a pipe need not wait."""
        self._stdout.flush()
        self._stdout.buffer.write(to_json_line(value))
        self._stdout.buffer.flush()

    def say(self, message: str) -> None:
        """What is going on; not with --quiet."""
        if not self.quiet:
            self._message("", "", message)

    @contextmanager
    def working(self, message: str) -> Iterator[Callable[[str], None]]:
        """Show that something is being done, on a terminal only; the block may say how far."""
        if self.quiet or not self.messages.is_terminal:
            yield lambda _: None
            return
        with self.messages.status(Text(one_line(message)), spinner="line") as status:
            yield lambda stage: status.update(Text(one_line(f"{message}: {stage}")))

    def detail(self, message: str) -> None:
        """What only somebody who looks for a fault wants to know; with --verbose."""
        if self.verbose:
            self._message("", "dim", message)

    def warn(self, message: str) -> None:
        self._message("warning: ", "yellow", message)

    def error(self, message: str, remedy: str | None = None) -> None:
        self._message("error: ", "red", message)
        if remedy:
            self._message("try: ", "", remedy)

    def flush(self) -> None:
        self._stdout.flush()

    def _message(self, label: str, style: str, message: str) -> None:
        self.messages.print(Text(label + one_line(message), style=style))
