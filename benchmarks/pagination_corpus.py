"""The pagination corpus: pages rendered once into a cache, labels by link, what is not scored."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.features import Table, features
from webgeist.analyses.blocks.file_addresses import file_xpaths
from webgeist.analyses.blocks.labels import registered
from webgeist.analyses.blocks.scene import scene
from webgeist.capture.camera import Camera
from webgeist.capture.folder import open_capture
from webgeist.capture.target import parse_target
from webgeist.settings import Settings
from webgeist.settings.models import CaptureSettings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.analyses.blocks.link import Link
    from webgeist.analyses.blocks.rules.compiler import Compiled

LABELS = {"NEXT": "next", "PREV": "previous", "PAGE": "page", "FIRST": "first", "LAST": "last"}
BELIEVED = Path(__file__).parent / "data" / "pagination_labels.json"


class MissingError(Exception):
    """There is no corpus to measure with."""


@dataclass(frozen=True, eq=False)
class LabelledPage:
    """One page: its links as the sequence check sees them, features, and true labels by node."""

    file: str
    url: str
    links: list[Link]
    table: Table
    truth: dict[int, str]
    believed: dict[str, str]  # by target: what a wrong label should be
    threads: frozenset[str]  # targets of pagers of single threads: not scored
    reasons: dict[str, str]  # by target: why a label is believed to be wrong

    @property
    def site(self) -> str:
        return registered(self.url)

    def with_reason(self, reason: str) -> LabelledPage:
        """The same with only the labels put right that have this reason."""
        some = {t: should for t, should in self.believed.items() if self.reasons[t] == reason}
        return replace(self, believed=some)

    def targets(self, *, cleaned: bool) -> dict[str, set[str]]:
        """What is to be found: labels by target, without what is not scored."""
        found: dict[str, set[str]] = defaultdict(set)
        for link in self.links:
            if link.node in self.truth and not link.current and key(link) not in self.threads:
                found[key(link)].add(self.truth[link.node])
        if cleaned:
            for target, should in self.believed.items():
                found.pop(target, None)
                if should not in {"none", "ignore"}:
                    found[target] = set(should.split())
        return dict(found)


def key(link: Link) -> str:
    """A target's URL, or the node where there is none."""
    return link.target.partition("#")[0].rstrip("/") if link.target else f"node {link.node}"


def corpus_folder() -> Path:
    """The folder that WEBGEIST_CORPORA names. MissingError where there is none."""
    folder = Path(os.environ.get("WEBGEIST_CORPORA", "corpora")) / "pagination"
    if not (folder / "labels.jsonl").is_file():
        raise MissingError(f"no pagination corpus in {folder}: set WEBGEIST_CORPORA")
    return folder


def rows_of(folder: Path, *, short: bool) -> list[dict[str, Any]]:
    lines = (folder / "labels.jsonl").read_text("utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return rows[::6] if short else rows


def render(folder: Path, rows: Sequence[dict[str, Any]], cache: Path) -> None:
    """Every page that the cache has not: rendered from its file, nothing is fetched."""
    missing = [row for row in rows if not (cache / row["file"][:-5]).exists()]
    if missing:
        asyncio.run(_render(folder, missing, cache))


async def _render(folder: Path, rows: Sequence[dict[str, Any]], cache: Path) -> None:
    settings = Settings(capture=CaptureSettings(screenshot="none", scroll=False))
    async with Camera(settings) as camera:
        for row in rows:
            target = parse_target(str(folder / "pages" / row["file"]), url=row["url"])
            (await camera.capture(target)).save(cache / row["file"][:-5])


def read_pages(
    folder: Path, rows: Sequence[dict[str, Any]], cache: Path, program: Compiled
) -> Iterator[LabelledPage]:
    believed: dict[str, dict[str, dict[str, str]]] = defaultdict(dict)
    for each in json.loads(BELIEVED.read_text("utf-8")):
        believed[each["file"]][each["xpath"]] = each
    for row in rows:
        capture = open_capture(cache / row["file"][:-5])
        page = capture.page
        if page is None:
            continue
        facts = Facts(page, capture.info.url, (1280, 800))
        links = scene(facts, {})
        body = (folder / "pages" / row["file"]).read_bytes()
        elements = [n for n, kind in enumerate(page.type.tolist()) if kind == 1]
        nodes = {path: node for node, path in file_xpaths(body, page, elements).items()}
        by_node = {link.node: link for link in links}
        own = {
            key(by_node[nodes[path]]): each
            for path, each in believed[row["file"]].items()
            if nodes.get(path) in by_node
        }
        yield LabelledPage(
            file=row["file"],
            url=row["url"],
            links=links,
            table=features(program, facts),
            truth=dict(_truth(row, nodes, page.parent.tolist(), page.end.tolist(), set(by_node))),
            believed={target: each["should"] for target, each in own.items()},
            threads=frozenset(_threads(links)),
            reasons={target: _class(each["reason"]) for target, each in own.items()},
        )


def _class(reason: str) -> str:
    """A reason without what is said of a single page."""
    return re.split(r"[:;(]", reason)[0].strip().removesuffix("s")


def _truth(
    row: dict[str, Any],
    nodes: dict[str, int],
    parent: list[int],
    end: list[int],
    clickable: set[int],
) -> Iterator[tuple[int, str]]:
    """Labels, moved to what can be clicked: above the labelled element, or the one inside it."""
    for name, several in row["labels"].items():
        for each in several:
            node = nodes.get(each["xpath"], -1)
            if node < 0:
                continue
            above = node
            while above >= 0 and above not in clickable:
                above = parent[above]
            inside = [n for n in range(node, end[node]) if n in clickable]
            if above >= 0 or len(inside) == 1:
                yield above if above >= 0 else inside[0], LABELS[name]


def _threads(links: Sequence[Link]) -> set[str]:
    """Pagers of single threads: several series that this page is not of, or any beside its own."""
    frames: dict[str, list[Link]] = defaultdict(list)
    for link in links:
        if link.frame and link.agrees and link.number is not None:
            frames[link.frame].append(link)
    near = {frame for frame, those in frames.items() if those[0].near}
    other = set(frames) - near
    own = near or any(link.in_series and link.step in {1, -1} for link in links)
    if not other or not (own or len(other) > 2):
        return set()
    runs = {link.run for frame in other for link in frames[frame]}
    runs -= {link.run for frame in near for link in frames[frame]} | {None}
    found = {key(link) for frame in other for link in frames[frame]}
    return found | {key(link) for link in links if link.run in runs and not link.near}
