"""The command line: one module per command, listed in `webgeist.cli.app`."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """The `webgeist` program. `kill` ends a command as Ctrl-C does: cleanly, with what it has."""
    from webgeist.cli.run import run

    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(run(sys.argv[1:]))
