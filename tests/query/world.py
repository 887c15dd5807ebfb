"""A small repository made by hand, in which everything that queries can ask occurs.

Pages are trees of nodes with styles (whose counts are right), blocks, features, links, resources of
two analyses that nobody knows, and values that are missing wherever they may be.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from tests.repository.making import make_capture

from webgeist.analyses.features.columns import SCHEMA as FEATURES
from webgeist.analyses.features.whole import SCHEMA as PAGES
from webgeist.analyses.visual import BLOCKS
from webgeist.capture.decode import MemoryParts
from webgeist.page.model import Document, Page
from webgeist.page.schema import LINKS, NODES, style_schema
from webgeist.repository.ids import capture_id
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository
from webgeist.repository.results import OK, Result
from webgeist.repository.schema import ID

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository

INHERITED = ("color", "font-size", "cursor", "font-weight")
OWN = ("background-color", "opacity", "width", "display", "outline-width")
COLOURS = ("rgb(0, 0, 0)", "rgb(51, 51, 51)", "rgb(255, 0, 0)", "rgba(0, 0, 255, 0.5)")
CORNERS = pa.schema([("block", pa.int32()), ("radius", pa.float32()), ("kind", pa.string())])
BADGES = pa.schema([("block", pa.int32()), ("badge", pa.string()), ("score", pa.float64())])
TREND = pa.schema([("trend", pa.string()), ("rise", pa.int32())])
_NAMES = (
    "div",
    "p",
    "a",
    "img",
    "img",
    "img",
    "span",
    "input",
    "h1",
    "nav",
    "canvas",
    "linearGradient",
)
_WORDS = ("design", "mining", "web", "naïve café", "100% sure", "it's", "")


def make_world(folder: Path, pages: int = 9, seed: int = 7) -> Repository:
    """The repository, published. Its first two pages are those that the paper looked for."""
    init_repository(folder)
    repository = open_repository(folder)
    captures = [_special(number) for number in range(2)]
    captures += [_drawn(number, random.Random(f"{seed} {number}")) for number in range(2, pages)]
    for part in (captures[:4], captures[4:]):  # two batches, two files of each table
        with repository.batch() as batch:
            for capture in part:
                batch.add(capture)
        _analyse(repository, part, seed)
        repository.publish()
    return repository


def _drawn(number: int, random_: random.Random) -> Capture:
    rows: list[dict[str, Any]] = []
    _grow(rows, None, 0, random_, 36)
    for row in rows:
        row["end"] = 1 + max(n for n, r in enumerate(rows) if _below(rows, n, row["node"]))
    return _capture(number, rows, random_)


def _below(rows: list[dict[str, Any]], node: int, above: int) -> bool:
    at: int | None = node
    while at is not None and at != above:
        at = rows[at]["parent"]
    return at == above


def _grow(
    rows: list[dict[str, Any]], parent: int | None, depth: int, random_: random.Random, most: int
) -> None:
    """A tree in document order."""
    number = len(rows)
    rows.append(_node(number, parent, depth, random_))
    if rows[number]["type"] != 1:
        return
    for _ in range(6 if depth == 0 else random_.choice((0, 1, 2, 3, 4))):
        if len(rows) < most and depth < 6:
            _grow(rows, number, depth + 1, random_, most)


def _node(number: int, parent: int | None, depth: int, random_: random.Random) -> dict[str, Any]:
    kind = 1 if parent is None else random_.choice((1, 1, 1, 3, 8))
    laid_out = kind != 8 and random_.random() < 0.85
    name = {1: random_.choice(_NAMES), 3: "#text", 8: "#comment"}[kind]
    pseudo = "before" if kind == 1 and parent is not None and random_.random() < 0.08 else None
    text = " ".join(random_.choices(_WORDS, k=3)) if kind != 1 else None
    box = [random_.choice((0.0, 2.0, 4.5, 10.0, 20.5, 100.0, 640.0)) for _ in range(4)]
    return {
        "node": number,
        "document": 0,
        "parent": parent,
        "depth": depth,
        "type": kind,
        "name": "::before" if pseudo else name,
        "text": text,
        "rendered_text": text if kind == 3 and laid_out else None,
        "attributes": _attributes(name, random_) if kind == 1 else None,
        "pseudo": pseudo,
        **dict(zip(("x", "y", "width", "height"), box if laid_out else [None] * 4, strict=True)),
        "paint_order": number if laid_out else None,
        "style_inherited": random_.randrange(4) if laid_out else None,
        "style_own": random_.randrange(5) if laid_out else None,
        "stacking_context": random_.random() < 0.2,
        "checked": False,
        "selected": False,
        "clickable": name == "a",
    }


def _attributes(name: str, random_: random.Random) -> list[tuple[str, str]]:
    found = [("class", random_.choice(("nav main", "nav", "item odd", "")))]
    if random_.random() < 0.5:
        found.append(("id", f"n{random_.randrange(4)}"))
    if name == "input" and random_.random() < 0.6:
        found.append(("type", random_.choice(("TEXT", "text", "email"))))
    return found


def _capture(number: int, rows: list[dict[str, Any]], random_: random.Random) -> Capture:
    styles = [
        [random_.choice(COLOURS), f"{random_.choice((10, 16, 16.5, 120))}px", cursor, weight]
        for cursor, weight in (
            ("auto", "400"),
            ("pointer", "700"),
            ("text", "400"),
            ("auto", "900"),
        )
    ]
    own = [
        [random_.choice(COLOURS), opacity, random_.choice(("auto", "50px", "640px")), display, wide]
        for opacity, display, wide in (
            ("1", "block", "0px"),
            ("0.5", "inline", "3px"),
            ("0.6", "flex", "1.5px"),
            ("1", "none", "medium"),
            ("0.1", "block", "0px"),
        )
    ]
    made = make_capture(number, url=f"http://host{number % 2}.test/{number}")
    document = Document(made.info.url, made.info.url, "", "en", "UTF-8", None, 0, 0, 0, 0)
    page = Page(
        pa.Table.from_pylist(rows, schema=NODES),
        _styles(INHERITED, styles, [row["style_inherited"] for row in rows]),
        _styles(OWN, own, [row["style_own"] for row in rows]),
        (document,),
    )
    parts = MemoryParts(page, _links(rows), made.requests, made.screenshot, made.thumbnail)
    info = replace(made.info, nodes=len(rows), documents=(document,))
    return replace(made, info=info, parts=parts)


def _styles(names: tuple[str, ...], rows: list[list[str]], used: list[int | None]) -> pa.Table:
    """Only vectors that nodes have, as in any capture."""
    counts = [used.count(number) for number in range(len(rows))]
    kept = [number for number, count in enumerate(counts) if count]
    columns = [
        pa.array(kept, pa.int32()),
        pa.array([counts[number] for number in kept], pa.int32()),
        *(pa.array([rows[n][place] for n in kept], pa.string()) for place in range(len(names))),
    ]
    return pa.Table.from_arrays(columns, schema=style_schema(names))


def _links(rows: list[dict[str, Any]]) -> pa.Table:
    found = [
        {"node": row["node"], "href": "x", "url": f"http://h.test/{row['node']}", "text": "go on"}
        for row in rows
        if row["name"] == "a"
    ]
    return pa.Table.from_pylist(found, schema=LINKS)


def _special(number: int) -> Capture:
    """A page like a search engine's, and one that is much wider than high, with a canvas."""
    inner = "input" if number == 0 else "canvas"
    rows = [
        _node(n, None if n == 0 else n - 1, n, random.Random(1))
        | {"type": 1, "name": name, "end": 4, "pseudo": None, "text": None, "rendered_text": None}
        | {"style_inherited": n % 4, "style_own": n, "attributes": [], "x": 100.0, "y": 10.0 * n}
        for n, name in enumerate(("html", "body", "div", inner))
    ]
    return _capture(number, rows, random.Random(11))


# --- analyses ------------------------------------------------------------------------------------


def _analyse(repository: Repository, captures: list[Capture], seed: int) -> None:
    tables: dict[str, list[tuple[str, list[dict[str, Any]]]]] = {}
    for capture in captures:
        id_ = capture_id(capture.info)
        for name, rows in _rows_of(capture, random.Random(f"{seed} {id_}")).items():
            tables.setdefault(name, []).append((id_, rows))
    for name, found in tables.items():
        schema = pa.schema([pa.field("capture", ID, nullable=False), *_SCHEMAS[name]])
        rows = [{"capture": id_} | row for id_, each in sorted(found) for row in each]
        repository.begin_analysis(name, "1")
        made = [Result(id_, name, "1", OK, "", len(each), 1.0) for id_, each in sorted(found)]
        repository.add_results(made, {name: pa.Table.from_pylist(rows, schema=schema)})


_SCHEMAS = {
    "blocks": BLOCKS,
    "features": FEATURES,
    "pages": PAGES,
    "features_corners": CORNERS,
    "badges": BADGES,
    "trend": TREND,
}


def _rows_of(capture: Capture, random_: random.Random) -> dict[str, list[dict[str, Any]]]:
    page = capture.page
    assert page is not None
    nodes = [row for row in page.nodes.to_pylist() if row["x"] is not None]
    number = int(capture.info.url.rpartition("/")[2])
    blocks = [_block(n, nodes[n], random_) for n in range(len(nodes))]
    for block in blocks:
        block["end"] = 1 + max(n for n in range(len(blocks)) if _inside(blocks, n, block["block"]))
    features = [_feature(block, number, random_) for block in blocks]
    found: dict[str, list[dict[str, Any]]] = {"blocks": blocks, "features": features}
    if number != 3:  # a page whose analysis failed
        shape = {"width": 1200.0, "height": 100.0 if number == 1 else 900.0, "words": number}
        shape["nodes"] = capture.info.nodes
        found["pages"] = [{name: shape.get(name) for name in PAGES.names} | {"depth": number}]
    if number % 2:
        found["features_corners"] = [
            {"block": n, "radius": random_.choice((0.0, 4.5, None)), "kind": "round"}
            for n in range(len(blocks))
        ]
    found["badges"] = [
        {"block": n, "badge": random_.choice(("new", "sale")), "score": random_.random()}
        for n in range(0, len(blocks), 3)
    ]
    found["trend"] = [{"trend": random_.choice(("up", "down")), "rise": number}]
    return found


def _block(n: int, node: dict[str, Any], random_: random.Random) -> dict[str, Any]:
    return {
        "block": n,
        "node": node["node"],
        "parent": None
        if n == 0
        else random_.randrange(max(0, n - 2), n)
        if n < 3
        else n - 1 - n % 2,
        "depth": 0,
        "order": n,
        "kind": random_.choice(("box", "text", "image", "control")),
        **{name: node[name] for name in ("x", "y", "width", "height")},
        "also": [],
    }


def _inside(blocks: list[dict[str, Any]], n: int, above: int) -> bool:
    at: int | None = n
    while at is not None and at != above:
        at = blocks[at]["parent"]
    return at == above


def _feature(block: dict[str, Any], number: int, random_: random.Random) -> dict[str, Any]:
    found: dict[str, Any] = dict.fromkeys(FEATURES.names)
    found |= {name: block[name] for name in ("block", "x", "y", "width", "height")}
    found["aspectRatio"] = random_.choice((0.5, 1.0, 1.6, 3.2, None))
    if block["block"] == 0:
        found["aspectRatio"] = 12.0 if number == 1 else 1.5
    centred = number == 0
    found["leftSidedness"] = 0.5 if centred else random_.choice((0.0, 0.3, 1.0))
    found["topSidedness"] = 0.45 if centred else random_.choice((0.0, 0.9))
    found["areaOfPage"] = random_.choice((0.05, 0.3, 0.6))
    found["fractionalY"] = random_.choice((0.0, 0.05, 0.5))
    found["words"] = random_.choice((0, 1, 7, 60))
    found["font"] = random_.choice(("Inter", "Georgia", None))
    found["palette"] = [{"r": 1, "g": 2, "b": 3, "share": 0.5}] if random_.random() < 0.5 else None
    return found
