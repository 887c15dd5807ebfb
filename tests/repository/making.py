"""Captures made by hand: small, told apart by a number, and quick to make in hundreds."""

from __future__ import annotations

import io
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

import pyarrow as pa
from PIL import Image

from webgeist.capture.decode import MemoryParts
from webgeist.capture.info import CaptureInfo
from webgeist.capture.model import Capture
from webgeist.capture.outcome import Outcome
from webgeist.capture.requests import REQUESTS
from webgeist.capture.screenshot import Area, Screenshot, ScreenshotInfo
from webgeist.capture.settle import Settled
from webgeist.capture.viewport import VIEWPORTS
from webgeist.page.metadata import Metadata
from webgeist.page.model import Document, Page
from webgeist.page.schema import LINKS, NODES, style_schema
from webgeist.repository.init import init_repository
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from webgeist.repository.files import Files
    from webgeist.repository.repository import Repository

NOON = datetime(2024, 2, 29, 12, tzinfo=UTC)
URL = "http://example.org/page"
OWN = ("width", "opacity", "background-color")
INHERITED = ("color", "font-size")


def make_page(number: int, nodes: int = 5, own: Sequence[str] = OWN) -> Page:
    """A chain of nodes, whose texts name the number."""
    rows = [
        {
            "node": node,
            "document": 0,
            "parent": node - 1 if node else None,
            "end": nodes,
            "depth": node,
            "type": 1,
            "name": ("html", "body", "div", "p", "b")[min(node, 4)],
            "text": f"text {number}",
            "rendered_text": f"text {number}",
            "attributes": [("id", f"n{node}")],
            "x": 1.5,
            "y": float(node),
            "width": 10.0,
            "height": 10.0,
            "paint_order": node,
            "style_inherited": 0,
            "style_own": node % 2,
        }
        | dict.fromkeys(("stacking_context", "checked", "selected", "clickable"), False)
        for node in range(nodes)
    ]
    document = Document(URL, URL, f"Page {number}", "en", "UTF-8", None, 0, 0, 0, 0)
    return Page(
        pa.Table.from_pylist(rows, schema=NODES),
        _styles(INHERITED, [("rgb(1, 2, 3)", f"{10 + number % 7}px")], nodes),
        _styles(own, [_own(number, row, own) for row in range(2)], nodes),
        (document,),
    )


def _own(number: int, row: int, names: Sequence[str]) -> tuple[str, ...]:
    known = {"width": f"{number + row}px", "opacity": "0.5", "background-color": "rgba(0, 0, 0, 0)"}
    return tuple(known.get(name, "auto") for name in names)


def _styles(names: Sequence[str], rows: Sequence[Sequence[str]], nodes: int) -> pa.Table:
    columns = [
        pa.array(range(len(rows)), pa.int32()),
        pa.array([nodes] * len(rows), pa.int32()),
        *(pa.array(values, pa.string()) for values in zip(*rows, strict=True)),
    ]
    return pa.Table.from_arrays(columns, schema=style_schema(names))


@cache
def _jpeg(colour: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (8, 8), (colour, 0, 0)).save(buffer, "JPEG")
    return buffer.getvalue()


def make_capture(
    number: int, *, url: str = URL, nodes: int = 5, own: Sequence[str] = OWN
) -> Capture:
    """The capture of this number, taken `number` seconds after noon. Without nodes it failed."""
    page = make_page(number, nodes, own) if nodes else None
    shot = ScreenshotInfo("jpeg", 8, 8, cut=False, areas=(Area(0, 0, 8, 8),))
    info = CaptureInfo(
        requested_url=url,
        url=url,
        time=NOON + timedelta(seconds=number),
        outcome=Outcome.OK if nodes else Outcome.TIMEOUT,
        reason="" if nodes else "no page within 30 s",
        status=200 if nodes else None,
        mime_type="text/html",
        headers={"content-type": "text/html"},
        redirects=(),
        viewport=VIEWPORTS["desktop"],
        clock=NOON,
        settled=Settled(at_rest=True, reason="quiet", scrolled=False, ms=1.0),
        metadata=Metadata(f"Page {number}", "en", None, (), (), (), (), ()),
        documents=page.documents if page else (),
        messages=(),
        dropped_messages=0,
        dropped_requests=0,
        nodes=nodes,
        screenshot=shot if page else None,
        stages_ms={"navigate": 1.0},
        browser="Chrome/1.2",
        webgeist="0.1.0",
    )
    picture = Screenshot(shot, (_jpeg(number % 3),)) if page else None
    return Capture(info, MemoryParts(page, _links(number), _requests(), picture, _jpeg(200)))


def _links(number: int) -> pa.Table:
    row = {"node": 3, "href": "next", "url": f"{URL}/{number}", "text": "next", "rel": None}
    return pa.Table.from_pylist([row] * (number % 3), schema=LINKS)


def _requests() -> pa.Table:
    row = {"request": 0, "url": URL, "method": "GET", "type": "Document", "status": 200}
    return pa.Table.from_pylist([row], schema=REQUESTS)


def with_time(capture: Capture, time: datetime) -> Capture:
    """The same page at another time: another capture."""
    return replace(capture, info=replace(capture.info, time=time))


def new_repository(path: Path, *numbers: int, files: Files | None = None) -> Repository:
    """A repository with these captures, staged in one batch."""
    init_repository(path)
    repository = open_repository(path, files=files) if files else open_repository(path)
    if numbers:
        with repository.batch() as batch:
            for number in numbers:
                batch.add(make_capture(number))
    return repository


def same(one: Capture, other: Capture) -> bool:
    """Whether all parts of two captures are equal."""
    return (
        one.info == other.info
        and plain(one.links) == plain(other.links)
        and plain(one.requests) == plain(other.requests)
        and one.thumbnail == other.thumbnail
        and one.screenshot == other.screenshot
        and _same_page(one.page, other.page)
    )


def _same_page(one: Page | None, other: Page | None) -> bool:
    if one is None or other is None:
        return one is other
    tables = ("nodes", "styles_inherited", "styles_own")
    return one.documents == other.documents and all(
        plain(getattr(one, name)) == plain(getattr(other, name))
        and set(getattr(one, name).schema) == set(getattr(other, name).schema)
        for name in tables
    )


def plain(table: pa.Table) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = table.to_pylist()
    return rows
