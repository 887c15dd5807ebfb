"""Log lines on stderr: for people, or with WEBGEIST_LOG=json one object a line with fixed keys."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.cli.output import one_line
from webgeist.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Mapping

VARIABLE = "WEBGEIST_LOG"


class HumanFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = one_line(f"{record.levelname.lower()}: {record.getMessage()}")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonFormatter(logging.Formatter):
    """Keys: time (UTC), level, logger, message, and exception where there is one."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": one_line(record.getMessage()),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line)


class StderrHandler(logging.Handler):
    """Writes to whatever stderr is at that moment."""

    def emit(self, record: logging.LogRecord) -> None:
        sys.stderr.write(self.format(record) + "\n")


_FORMATTERS = {"human": HumanFormatter, "json": JsonFormatter}


def configure_logs(environ: Mapping[str, str], *, quiet: bool, verbose: bool) -> None:
    """Send the log of all rooms to stderr: warnings, with `verbose` everything, `quiet` errors."""
    form = environ.get(VARIABLE) or "human"
    if form not in _FORMATTERS:
        raise SettingsError(f"{VARIABLE} cannot be {form!r}", remedy="human or json")
    handler = StderrHandler()
    handler.setFormatter(_FORMATTERS[form]())
    logger = logging.getLogger("webgeist")
    logger.handlers[:] = [handler]
    logger.setLevel(logging.DEBUG if verbose else logging.ERROR if quiet else logging.WARNING)
