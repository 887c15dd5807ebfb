"""A capture as the commands tell it: in one line for people, as a document for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webgeist.cli.exits import ExitCode
from webgeist.cli.output import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.capture.model import Capture


def describe(taken: Capture) -> str:
    """A capture in one line for people."""
    info = taken.info
    facts = f"{info.nodes:,} nodes, {taken.links.num_rows:,} links" if taken.has_page else ""
    reason = f": {info.reason}" if info.reason else ""
    waited = "" if info.settled is None or info.settled.at_rest else f" ({info.settled.reason})"
    return one_line(f"{info.outcome} {info.url} {facts}{reason}{waited}")


def summary(taken: Capture) -> dict[str, Any]:
    """What the JSON form tells of a capture."""
    from webgeist.capture.outcome import Outcome

    info = taken.info
    return {
        "ok": info.outcome in {Outcome.OK, Outcome.EMPTY},
        "outcome": info.outcome,
        "reason": info.reason,
        "requested_url": info.requested_url,
        "url": info.url,
        "status": info.status,
        "title": info.metadata.title if info.metadata else None,
        "time": info.time.isoformat(),
        "viewport": info.viewport.name,
        "settled": info.settled,
        "nodes": info.nodes,
        "links": taken.links.num_rows,
        "requests": taken.requests.num_rows,
        "screenshot": info.screenshot,
        "stages_ms": info.stages_ms,
    }


def exit_code(failed: Sequence[dict[str, Any]]) -> ExitCode:
    """How a command ends whose captures failed, by their summaries."""
    from webgeist.capture.outcome import Outcome

    if not failed:
        return ExitCode.DONE
    if all(result["outcome"] == Outcome.BROWSER_DIED for result in failed):
        return ExitCode.BROWSER
    return ExitCode.FAILED_PAGES
