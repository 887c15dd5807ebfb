"""What the exit code of a command means. `webgeist.errors` gives each error its code."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """Scripts may rely on these numbers."""

    DONE = 0
    ERROR = 1
    USAGE = 2
    FAILED_PAGES = 3
    SETTINGS = 4
    NOT_FOUND = 5
    CHANGED = 6
    DAMAGED = 7
    STORAGE = 8
    BROWSER = 9
    LIMIT = 10
    INTERRUPTED = 11

    @property
    def meaning(self) -> str:
        """One sentence, for the docs."""
        return _MEANINGS[self]


_MEANINGS = {
    ExitCode.DONE: "Done.",
    ExitCode.ERROR: "An error that has no code of its own; with `-v` its traceback is shown.",
    ExitCode.USAGE: "The command line makes no sense; nothing was done.",
    ExitCode.FAILED_PAGES: "Finished, but too many pages failed; each has its reason.",
    ExitCode.SETTINGS: "A settings file, variable or flag is wrong.",
    ExitCode.NOT_FOUND: "What was asked for does not exist.",
    ExitCode.CHANGED: "A comparison found a change (where asked to say so by exit code).",
    ExitCode.DAMAGED: "The repository is in use by another writer, or stored data is damaged.",
    ExitCode.STORAGE: "The disk is full, read-only or failing.",
    ExitCode.BROWSER: "Chromium is missing, died or does not answer.",
    ExitCode.LIMIT: "A limit from the settings was reached.",
    ExitCode.INTERRUPTED: "Interrupted; what was done so far is saved.",
}
