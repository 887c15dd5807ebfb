"""Pagination on styled pages: the sample web's lists, pagers under frameworks' sheets, manuals.

What is true is read off the samples' own markup (`nav.pages`, `nav.older` …) and off that of
manuals, or was written down with the pagers, never off what we find. The trees of the corpus
cannot have seen these sites; each family of features is asked alone and removed, by trees learned
from the corpus without it.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from benchmarks.pagination_themes import manual_pages, served, themed_pages
from webgeist.analyses.blocks.articles import ARTICLES
from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.features import Table, features
from webgeist.analyses.blocks.file_addresses import file_xpaths
from webgeist.analyses.blocks.link import SEQUENCE
from webgeist.analyses.blocks.roles import role
from webgeist.analyses.blocks.scene import scene
from webgeist.analyses.blocks.sequence import check
from webgeist.analyses.blocks.training import learn_rows
from webgeist.capture.camera import Camera
from webgeist.capture.target import parse_target
from webgeist.samples.server import serve
from webgeist.settings import Settings
from webgeist.settings.models import CaptureSettings, GateSettings

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from webgeist.analyses.blocks.link import Link
    from webgeist.analyses.blocks.model import Model
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.analyses.blocks.training import Examples
    from webgeist.capture.model import Capture
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
    """A page: its links, features, the nodes that lead to its list's other pages, and those that
    lead to neighbouring articles, where that is known.
    """

    kind: str  # samples, themes or manuals
    path: str
    links: list[Link]
    table: Table
    truth: set[int]
    articles: set[int] | None = None


def styled_pages(program: Compiled) -> list[StyledPage]:
    """Rendered anew: the sample web says the same each time."""
    return asyncio.run(_rendered(program))


async def _rendered(program: Compiled) -> list[StyledPage]:
    settings = Settings(
        capture=CaptureSettings(screenshot="none", scroll=False),
        gate=GateSettings(allow_private=True),
    )
    async with Camera(settings) as camera:
        samples = [each async for each in _samples(camera, program)]
        themes = [each async for each in _themes(camera, program)]
        return samples + themes + [each async for each in _manuals(camera, program)]


def _seen(kind: str, path: str, capture: Capture, program: Compiled) -> StyledPage | None:
    if capture.page is None:
        return None
    facts = Facts(capture.page, capture.info.url, (1280, 800))
    return StyledPage(kind, path, scene(facts, {}), features(program, facts), set())


async def _samples(camera: Camera, program: Compiled) -> AsyncIterator[StyledPage]:
    with serve() as web:
        for site, path in ((site, path) for site, paths in PATHS.items() for path in paths):
            capture = await camera.capture(parse_target(web.url(site, path)))
            if seen := _seen("samples", f"{site}{path}", capture, program):
                assert capture.page is not None
                yield replace(seen, truth=set(_truth(site, capture.page, seen.links)))


async def _themes(camera: Camera, program: Compiled) -> AsyncIterator[StyledPage]:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "page.html"
        for page, text in themed_pages():
            file.write_text(text, "utf-8")
            capture = await camera.capture(parse_target(str(file), url=page.url))
            if seen := _seen("themes", page.name, capture, program):
                assert capture.page is not None
                nodes = [link.node for link in seen.links]
                paths = file_xpaths(text.encode(), capture.page, nodes)
                said = {node: dict(page.labels).get(path) for node, path in paths.items()}
                truth = {node for node, label in said.items() if label in SEQUENCE}
                articles = {node for node, label in said.items() if label in ARTICLES}
                yield replace(seen, truth=truth, articles=articles)


async def _manuals(camera: Camera, program: Compiled) -> AsyncIterator[StyledPage]:
    files = manual_pages()
    if not files:
        return
    root = os.environ["WEBGEIST_DOCS"]
    with served(root) as web:
        for path in (str(file.relative_to(root)) for file in files):
            capture = await camera.capture(parse_target(f"{web}/{quote(path)}"))
            if seen := _seen("manuals", path, capture, program):
                assert capture.page is not None
                yield replace(seen, articles=set(_neighbours(capture.page, seen.links)))


def _neighbours(page: Page, links: Sequence[Link]) -> Iterator[int]:
    """What a manual calls its next or previous page itself."""
    for link in links:
        own = page.attributes(link.node)
        rel = set(own.get("rel", "").lower().split())
        key = own.get("accesskey", "").lower()
        if link.target and (rel & {"next", "prev", "previous"} or key in {"n", "p"}):
            yield link.node


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
    model = learn_rows(examples, rows, "forest")
    figures = {}
    for kind in sorted({page.kind for page in pages}):
        some = [page for page in pages if page.kind == kind]
        figures[f"styled, {kind}"] = _told(model, some)
        if any(page.articles for page in some):
            figures[f"styled, {kind}, articles"] = _articles_told(model, some)
    figures["styled, all features"] = _told(model, pages)
    for family, beginnings in families.items():
        own = [name for name in examples.names if name.startswith(beginnings)]
        others = [name for name in examples.names if name not in own]
        for what, left in (("removed", own), ("alone", others)):
            model = learn_rows(examples.without(left), rows, "forest")
            figures[f"styled, {family} {what}"] = _told(model, pages)
    return figures


def _articles_told(model: Model, pages: Sequence[StyledPage]) -> str:
    both = false = missed = 0
    for page in pages:
        found = _found(page, _scores(model, page), ARTICLES)
        truth = page.articles or set()
        both += len(found & truth)
        false += len(found - truth)
        missed += len(truth - found)
    precision, recall = both / max(1, both + false), both / max(1, both + missed)
    return f"precision {precision:.3f}, recall {recall:.3f} of {both + missed} links to neighbours"


def _scores(model: Model, page: StyledPage) -> dict[int, float]:
    known = {name: k for k, name in enumerate(page.table.names)}
    scores = model.score(page.table.values[:, [known[name] for name in model.features]])
    return dict(zip(page.table.nodes, scores.tolist(), strict=True))


def _told(model: Model, pages: Sequence[StyledPage]) -> str:
    both = false = missed = exact = raw_false = raw_missed = 0
    for page in pages:
        of_node = _scores(model, page)
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


def _found(
    page: StyledPage, scores: dict[int, float], labels: tuple[str, ...] = SEQUENCE
) -> set[int]:
    links = [replace(link, score=scores.get(link.node, 0.0)) for link in page.links]
    labelled = [link.now(*role(link)) if link.score >= 0.5 else link for link in links]
    return {link.node for link in check(labelled) if link.label in labels and not link.current}
