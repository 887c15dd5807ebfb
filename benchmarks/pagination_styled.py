"""Pagination on styled pages: the sample web's lists, and pages that only look like lists.

What is true is read off the samples' own markup (`nav.pages`, `nav.older` …), never off what we
find. The trees of the corpus folds cannot have seen these sites; each family of features is asked
alone and removed, by trees learned from the corpus without it.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.features import Table, features
from webgeist.analyses.blocks.roles import role
from webgeist.analyses.blocks.scene import scene
from webgeist.analyses.blocks.sequence import SEQUENCE, check
from webgeist.analyses.blocks.training import learn_rows
from webgeist.capture.camera import Camera
from webgeist.capture.target import parse_target
from webgeist.samples.server import serve
from webgeist.settings import Settings
from webgeist.settings.models import CaptureSettings, GateSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.blocks.model import Model
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.analyses.blocks.sequence import Link
    from webgeist.analyses.blocks.training import Examples
    from webgeist.page.model import Page

PAGERS = {"pages", "older", "leaves", "pagination"}  # classes of the samples' own pagers
PATHS = {
    "shop": ("/", "/c/kitchen", "/c/kitchen?page=3", "/c/garden?page=2", "/search?q=oak"),
    "magazine": (
        "/", "/section/culture", "/section/culture/page/2", "/tag/harbours",
        "/tag/maps?page=2", "/author/leo-park", "/author/leo-park?page=2", "/stream", "/briefs",
    ),
    "directory": ("/", "/organisations", "/organisations?page=2", "/organisations?page=6"),
    "boards": ("/", "/ads", "/ads?page=4", "/rides?page=2", "/feed", "/restaurants?page=4"),
    "gallery": ("/",),
    "manual": ("/",),
    "portfolio": ("/",),
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class StyledPage:
    """A sample page: its links, features, and the nodes that lead to its list's other pages."""

    path: str
    links: list[Link]
    table: Table
    truth: set[int]


def styled_pages(program: Compiled) -> list[StyledPage]:
    """Rendered anew: the sample web says the same each time."""
    return asyncio.run(_rendered(program))


async def _rendered(program: Compiled) -> list[StyledPage]:
    settings = Settings(
        capture=CaptureSettings(screenshot="none", scroll=False),
        gate=GateSettings(allow_private=True),
    )
    found = []
    with serve() as web:
        async with Camera(settings) as camera:
            for site, paths in PATHS.items():
                for path in paths:
                    capture = await camera.capture(parse_target(web.url(site, path)))
                    if capture.page is not None:
                        facts = Facts(capture.page, capture.info.url, (1280, 800))
                        links = scene(facts, {})
                        truth = set(_truth(site, capture.page, links))
                        table = features(program, facts)
                        found.append(StyledPage(f"{site}{path}", links, table, truth))
    return found


def _truth(site: str, page: Page, links: Sequence[Link]) -> list[int]:
    found = []
    for link in links:
        above = page.ancestors(link.node).tolist()
        classes = {
            name for node in above for name in page.attributes(node).get("class", "").split()
        }
        older = site == "boards" and page.attributes(link.node).get("rel") == "next"
        if (PAGERS & classes or older) and link.target:
            found.append(link.node)
    return found


def styled_figures(
    examples: Examples, pages: Sequence[StyledPage], families: dict[str, tuple[str, ...]]
) -> dict[str, Any]:
    """Precision and recall of the sequence: with all features, each family removed, and alone."""
    rows = ~examples.doubtful if examples.doubtful is not None else examples.wanted | True
    figures = {"styled, all features": _told(learn_rows(examples, rows, "forest"), pages)}
    for family, beginnings in families.items():
        own = [name for name in examples.names if name.startswith(beginnings)]
        others = [name for name in examples.names if name not in own]
        for what, left in (("removed", own), ("alone", others)):
            model = learn_rows(examples.without(left), rows, "forest")
            figures[f"styled, {family} {what}"] = _told(model, pages)
    return figures


def _told(model: Model, pages: Sequence[StyledPage]) -> str:
    both = false = missed = exact = raw_false = raw_missed = 0
    for page in pages:
        known = {name: k for k, name in enumerate(page.table.names)}
        scores = model.score(page.table.values[:, [known[name] for name in model.features]])
        of_node = dict(zip(page.table.nodes, scores.tolist(), strict=True))
        chosen = {node for node, score in of_node.items() if score >= 0.5}
        found = _found(page, of_node)
        both += len(found & page.truth)
        false += len(found - page.truth)
        missed += len(page.truth - found)
        exact += found == page.truth
        raw_false += len(chosen - page.truth)
        raw_missed += len(page.truth - chosen)
    precision, recall = both / max(1, both + false), both / max(1, both + missed)
    return (
        f"precision {precision:.3f}, recall {recall:.3f}, {exact} of {len(pages)} pages exact; "
        f"trees alone: {raw_false} false, {raw_missed} missed of {both + missed}"
    )


def _found(page: StyledPage, scores: dict[int, float]) -> set[int]:
    links = [replace(link, score=scores.get(link.node, 0.0)) for link in page.links]
    labelled = [link.now(*role(link)) if link.score >= 0.5 else link for link in links]
    return {link.node for link in check(labelled) if link.label in SEQUENCE and not link.current}
