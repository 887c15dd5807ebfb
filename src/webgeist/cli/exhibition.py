"""What the demo shows of its captures: a table of pages, and a first taste of asking them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.cli.output import one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.table import Table

    from webgeist.analyses.changes.change import Change
    from webgeist.capture.model import Capture
    from webgeist.repository.release import Release

_QUOTED = 60  # characters
_READABLE = 4.5  # to 1: what WCAG 2 asks of text of ordinary size


def summary_table(captures: Sequence[Capture]) -> Table:
    """A row for each page: how it ended, and how much is known of it."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE)
    table.add_column("page", no_wrap=True, overflow="ellipsis", min_width=16)
    table.add_column("outcome")
    for heading in ("nodes", "styles", "links", "requests", "picture", "ms"):
        table.add_column(heading, justify="right")
    for taken in captures:
        table.add_row(*_row(taken))
    return table


def _row(taken: Capture) -> Iterable[str]:
    info, shot = taken.info, taken.info.screenshot
    styles = taken.page.styles_own.num_rows if taken.page else 0
    return (
        one_line(info.metadata.title if info.metadata and info.metadata.title else info.url),
        str(info.outcome),
        f"{info.nodes:,}",
        f"{styles:,}",
        f"{taken.links.num_rows:,}",
        f"{taken.requests.num_rows:,}",
        f"{shot.width}x{shot.height}" if shot else "",
        f"{sum(info.stages_ms.values()):,.0f}",
    )


def answers(captures: Sequence[Capture]) -> Iterable[str]:
    """Facts that only the rendered pages know."""
    colours, cursors = _tally(captures, "color"), _tally(captures, "cursor")
    sizes = [float(size.removesuffix("px")) for size in _tally(captures, "font-size")]
    yield "Most used text colours: " + ", ".join(list(colours)[:5])
    yield "Different cursors: " + ", ".join(one_line(name)[:40] for name in list(cursors)[:12])
    yield f"Largest type: {max(sizes, default=0):g} px"


def looks(release: Release, captures: Sequence[str]) -> Iterable[str]:
    """Facts that are told by pictures and places."""
    import pyarrow.compute as pc

    wanted = ["words", "contrast", "level"]
    features = release.table("features", wanted, captures)
    pages = features.filter(pc.equal(features["level"], 0))
    words = pc.sum(pages["words"]).as_py()
    yield f"Blocks that a person sees: {features.num_rows:,}, with {words:,} words on all pages"
    contrast = features["contrast"].drop_null()
    weak = pc.sum(pc.less(contrast, _READABLE)).as_py() or 0
    yield f"Texts with too little contrast (WCAG AA): {weak:,} of {len(contrast):,}"


def lists(release: Release, captures: Sequence[str]) -> Iterable[str]:
    """Which pages are part of a list that goes on, as a query tells."""
    from webgeist.query.ask import ask

    query = {
        "$from": "@pagination",
        "$where": {"immediate": True, "label": {"$in": ["next", "load-more"]}},
        "$select": ["capture", "@page.url", "text", "label"],
    }
    rows = [row for row in ask(release, query).rows() if row["capture"] in captures]
    shown = [f"{row['url']} ({row['label']}: {one_line(row['text'])!r})" for row in rows]
    yield f"Lists that go on, {len(rows)}: " + "; ".join(shown[:3])


def changed(first: Sequence[Capture], second: Sequence[Capture]) -> str:
    """Which pages say something else than before."""
    before = {taken.info.url: _words(taken) for taken in first}
    names = [
        one_line(taken.info.metadata.title if taken.info.metadata else taken.info.url)
        for taken in second
        if _words(taken) != before.get(taken.info.url)
    ]
    said = "; ".join(names)
    return f"Other words than a day before, on {len(names)} of {len(second)} pages: {said}"


def judged(first: Sequence[Capture], second: Sequence[Capture]) -> Iterable[str]:
    """The most important change since, and the one that came nearest to being important."""
    from webgeist.functions import compare

    before = {taken.info.url: taken for taken in first}
    found = [
        (compare(before[taken.info.url], taken), taken.info.url)
        for taken in second
        if taken.info.url in before
    ]
    for important, question in ((True, "Important change:"), (False, "Unimportant change:")):
        some = [each for each in found if each[0].important is important and each[0].regions]
        if some:
            change, url = max(some, key=lambda each: each[0].score)
            score = f"score {change.score:.2f}"
            yield f"{question} {url} ({score}): {change.reason}; {_shown(change)}"


def _shown(change: Change) -> str:
    """What tells most of a change, as it was and as it is."""
    region = change.regions[0]
    old, new = (one_line(text)[:_QUOTED] for text in (region.text_before, region.text_after))
    return f"for example {old!r} -> {new!r}"


def _words(taken: Capture) -> str:
    return taken.page.text(0) if taken.page else ""


def _tally(captures: Sequence[Capture], name: str) -> dict[str, int]:
    """How many rendered nodes have each value of an inherited property, most frequent first."""
    counts: dict[str, int] = {}
    for page in filter(None, (taken.page for taken in captures)):
        table = page.styles_inherited
        values, nodes = table.column(name).to_pylist(), table.column("nodes").to_pylist()
        for value, count in zip(values, nodes, strict=True):
            counts[value] = counts.get(value, 0) + count
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
