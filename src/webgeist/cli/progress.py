"""How a crawl looks while it runs: a live display on a terminal, else a line every few seconds."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

from rich.console import Group
from rich.filesize import decimal
from rich.live import Live
from rich.table import Table
from rich.text import Text

from webgeist.cli.output import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.cli.output import Output
    from webgeist.crawl.progress import HostState, Progress

_LINE_SECONDS = 5.0
_LABELS = {
    "done": "pages captured",
    "failed": "failed",
    "skipped": "skipped",
    "queued": "left in the queue",
}


class Display:
    """Use it as a context manager. It says nothing with --quiet."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._live: Live | None = None
        self._said = time.monotonic()
        if output.messages.is_terminal and not output.quiet:
            self._live = Live(console=output.messages, auto_refresh=False, transient=True)

    def __enter__(self) -> Self:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live is not None:
            self._live.stop()

    def show(self, progress: Progress, hosts: Sequence[HostState], *, stopping: bool) -> None:
        """Show where a crawl stands."""
        line = progress_line(progress)
        if hosts and not any(host.visiting for host in hosts):
            first = min(hosts, key=lambda host: host.ready)
            line += f"; {one_line(first.name)} {_doing(first)}"
        if stopping:
            line += "; stopping, once more Ctrl-C ends at once"
        if self._live is not None:
            self._live.update(Group(Text(line), _host_table(hosts)), refresh=True)
        elif time.monotonic() - self._said > _LINE_SECONDS:
            self._said = time.monotonic()
            self._output.say(line)


def progress_line(progress: Progress) -> str:
    """A crawl in one line."""
    return (
        f"{progress.done:,} done, {progress.failed:,} failed, {progress.skipped:,} skipped, "
        f"{progress.queued:,} queued; {progress.per_minute:.0f} pages/min, "
        f"{decimal(progress.bytes)}"
    )


def _host_table(hosts: Sequence[HostState]) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("host")
    table.add_column("queued", justify="right")
    table.add_column("now")
    for host in hosts:
        table.add_row(one_line(host.name), f"{host.queued:,}", _doing(host))
    return table


def _doing(host: HostState) -> str:
    troubled = f", failed {host.failures} times in a row" if host.failures else ""
    if host.visiting:
        return f"visiting{troubled}"
    if not host.ready:
        return f"ready{troubled}"
    return f"waits {host.ready:.0f} s{troubled}{': ' if host.reason else ''}{one_line(host.reason)}"


def summary_table(summary: dict[str, Any]) -> Table:
    """What a crawl came to, for people."""
    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(justify="right")
    table.add_column(overflow="fold")
    for name, label in _LABELS.items():
        table.add_row(f"{summary[name]:,}", label)
        for reason, pages in summary.get(_REASONS.get(name, ""), {}).items():
            table.add_row("", f"{pages:,} {one_line(reason)}")
    table.add_row(decimal(summary["bytes"]), "stored")
    table.add_row(f"{summary['seconds']:.0f} s", _ENDS[summary["end"]])
    if summary["release"] is not None:
        table.add_row(str(summary["release"]), "is the release that has it all")
    return table


_REASONS = {"failed": "failures", "skipped": "skips"}
_ENDS = {
    "complete": "until nothing was left",
    "pages": "until there were as many pages as asked for (--pages)",
    "time": "until the time was over (--max-time); webgeist crawl goes on",
    "size": "until as much was stored as asked for (--max-size)",
    "stopped": "until it was stopped; webgeist crawl goes on",
}
