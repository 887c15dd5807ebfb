"""webgeist capture --offline: a stored page again, from the archive alone, and how it differs."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from webgeist.cli.exits import ExitCode
from webgeist.cli.output import one_line
from webgeist.cli.summary import exit_code, summary
from webgeist.cli.wanted import find_capture

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from webgeist.cli.output import Output
    from webgeist.repository.replaying import Asked, Replayed
    from webgeist.repository.sameness import CaptureDifference
    from webgeist.settings import Settings

_TOLD = 10  # lines of each list for people
_LISTED = 1_000  # differing nodes in the JSON form


def render_again(
    repo: Path, wanted: str, out: Path | None, settings: Settings, output: Output
) -> dict[str, Any]:
    """Replay the capture that `wanted` means, keep it below `out` if given, and report."""
    from webgeist import blocking
    from webgeist.capture.naming import folder_name
    from webgeist.repository.replaying import replay
    from webgeist.repository.repository import open_repository

    with open_repository(repo, readonly=True) as repository:
        id_ = find_capture(repository, wanted)
        with output.working(f"rendering {id_} again"):
            replayed = blocking.run(replay(repository, id_, settings))
        try:
            report = {"capture": id_} | report_of(replayed)
            if out is not None:
                taken = replayed.capture
                report["folder"] = str(taken.save(out / folder_name(taken.info)))
        finally:
            replayed.capture.close()
    return report


def report_of(replayed: Replayed) -> dict[str, Any]:
    """All that is to be told of a replayed capture, as the JSON form has it."""
    from webgeist.repository.sameness import compare_captures

    original, capture = replayed.original, replayed.capture
    difference = compare_captures(original, capture)
    return {
        "same": difference.same,
        "original": summary(original),
        "replayed": summary(capture),
        "facts": {
            name: {"before": before, "after": after}
            for name, (before, after) in difference.facts.items()
        },
        "nodes": _nodes(replayed, difference),
        "pixels": difference.pixels,
        "missing": [asdict(each) for each in replayed.missing],
        "unused": [_plain(each) for each in replayed.unused],
    }


def _plain(asked: Asked) -> dict[str, Any]:
    return {"method": asked.method, "url": asked.url, "times": asked.times}


def _nodes(replayed: Replayed, difference: CaptureDifference) -> dict[str, Any] | None:
    from webgeist.page.telling import tell

    before, after, found = replayed.original.page, replayed.capture.page, difference.page
    if before is None or after is None or found is None:
        return None
    first = tell(found, before, after, _LISTED)
    return {"same": found.same} | found.counts() | {"first": [asdict(line) for line in first]}


def end_of(report: dict[str, Any]) -> ExitCode:
    """A page that was rendered again, or ended as it did then, is done, different or not."""
    then, now = report["original"], report["replayed"]
    if now["nodes"] or now["outcome"] == then["outcome"]:
        return ExitCode.DONE
    return exit_code([now])


def lines_of(report: dict[str, Any]) -> Iterator[str]:
    """The report for people."""
    then, now = report["original"], report["replayed"]
    yield f"{then['url']}, captured {then['time']} as {report['capture']}"
    yield "the same as then" if report["same"] else "different from then"
    yield _fact("outcome", f"{now['outcome']} {now['reason']}")
    for name, values in report["facts"].items():
        yield _fact(name, f"{values['before']} → {values['after']}")
    yield from _node_lines(report["nodes"])
    yield _fact("pixels", _pixels(report["pixels"]))
    yield from _requests("not stored", report["missing"])
    yield from _requests("not asked for", report["unused"])


def _fact(name: str, text: str) -> str:
    return one_line(f"{name}: {text}")


def _pixels(share: float | None) -> str:
    if share is None:
        return "no picture"
    return f"{max(share, 0.0001):.2%} differ" if share else "the same"


def _node_lines(nodes: dict[str, Any] | None) -> Iterator[str]:
    from webgeist.page.compare import KINDS

    if nodes is None or nodes["same"]:
        yield _fact("node table", "no page to compare" if nodes is None else "the same")
        return
    kinds = ", ".join(f"{kind} {nodes[kind]:,}" for kind in KINDS if nodes[kind])
    changed = f"{nodes['changed']:,} changed" + (f" ({kinds})" if kinds else "")
    counted = f"{nodes['removed']:,} removed, {nodes['added']:,} added, {changed}"
    details = any(nodes[name] for name in ("removed", "added", "changed"))
    yield _fact("node table", counted if details else "differs in paint order or parts of pixels")
    for line in nodes["first"][:_TOLD]:
        told = [text for text in (line["before"], line["after"]) if text is not None]
        yield "  " + _fact(f"{line['what']} {line['path']}", " → ".join(told))


def _requests(name: str, asked: Sequence[dict[str, Any]]) -> Iterator[str]:
    yield _fact(name, f"{len(asked):,} requests" if asked else "nothing")
    for each in asked[:_TOLD]:
        often = f" {each['times']} times" if each["times"] > 1 else ""
        then = f"; no answer then either: {each['then']}" if each.get("then") else ""
        yield "  " + one_line(f"{each['method']} {each['url']}{often}{then}")
    if len(asked) > _TOLD:
        yield f"  … and {len(asked) - _TOLD:,} more"
