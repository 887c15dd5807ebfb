"""A capture as rows of the repository's tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
from pydantic import TypeAdapter

from webgeist.capture.info import CaptureInfo
from webgeist.page.schema import NODES, style_schema
from webgeist.repository.schema import CAPTURES, RESOURCES, STAGED, stack

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.model import Capture
    from webgeist.repository.archive.places import Kept, RecordPlace

    Rows = Mapping[str, pa.Table]

INFO = TypeAdapter(CaptureInfo)


def page_rows(capture: Capture) -> dict[str, pa.Table]:
    """The tables that a capture has anyway, not yet with its id."""
    page = capture.page
    empty = style_schema(()).empty_table()
    return {
        "nodes": page.nodes if page else NODES.empty_table(),
        "styles_inherited": page.styles_inherited if page else empty,
        "styles_own": page.styles_own if page else empty,
        "links": capture.links,
        "requests": capture.requests,
    }


def capture_row(
    id_: str, info: CaptureInfo, tiles: Sequence[str], thumbnail: str | None
) -> pa.Table:
    """The one row in `captures`; `tiles` and `thumbnail` are the names of its picture files."""
    row = _facts(id_, info) | _screenshot(info, tiles) | {"thumbnail": thumbnail}
    return pa.Table.from_pylist([row], schema=CAPTURES)


def _facts(id_: str, info: CaptureInfo) -> dict[str, Any]:
    view, settled, said = info.viewport, info.settled, info.metadata
    return {
        "capture": id_,
        "requested_url": info.requested_url,
        "url": info.url,
        "host": host_of(info.url),
        "time": info.time,
        "outcome": str(info.outcome),
        "reason": info.reason,
        "status": info.status,
        "mime_type": info.mime_type,
        "viewport": view.name,
        "viewport_width": view.width,
        "viewport_height": view.height,
        "viewport_scale": view.scale,
        "viewport_mobile": view.mobile,
        "clock": info.clock,
        "settled": settled and settled.at_rest,
        "settled_reason": settled and settled.reason,
        "title": said and said.title,
        "language": said and said.language,
        "canonical": said and said.canonical,
        "visit": info.visit,
        "robots_ignored": info.robots_ignored,
        "nodes": info.nodes,
        "info": INFO.dump_json(info).decode(),
    }


def _screenshot(info: CaptureInfo, tiles: Sequence[str]) -> dict[str, Any]:
    shot = info.screenshot
    if shot is None:
        return {"tiles": []}
    return {
        "screenshot_width": shot.width,
        "screenshot_height": shot.height,
        "screenshot_cut": shot.cut,
        "tiles": [
            {"x": area.x, "y": area.y, "width": area.width, "height": area.height, "file": file}
            for area, file in zip(shot.areas, tiles, strict=True)
        ],
    }


def host_of(url: str) -> str:
    """The host in a URL; empty where there is none or the URL is no valid one."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def resource_rows(id_: str, kept: Iterable[tuple[Exchange, Kept]]) -> pa.Table:
    """Which exchanges a capture made, and where the archive keeps each."""
    rows = [
        {
            "capture": id_,
            "exchange": exchange.number,
            "url": _text(exchange.url),
            "method": _text(exchange.method),
            "status": exchange.status,
            "started": exchange.started,
            "seconds": exchange.seconds,
            "sha256": place.sha256 if place.answer else None,
            "bytes": exchange.body.size,
            "truncated": exchange.truncated or None,
            "error": _text(exchange.error) or None,
            "refused": _text(exchange.refused) or None,
            "address": exchange.address,
            "tls_problem": exchange.tls and _text(exchange.tls.problem),
            "revisit": place.revisit,
            "answer": place.answer and _place(place.answer),
            "request": _place(place.request),
            "notes": _place(place.notes),
        }
        for exchange, place in kept
    ]
    return pa.Table.from_pylist(rows, schema=RESOURCES)


def _text(text: str) -> str:
    """What a server or page said, without the half surrogates that UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode()


def _place(place: RecordPlace) -> dict[str, Any]:
    return {"file": place.file, "offset": place.offset, "length": place.length}


def batch_tables(captures: Mapping[str, Rows]) -> dict[str, pa.Table]:
    """The tables of a batch: the rows of all captures, sorted by id, with the `capture` column."""
    ids = sorted(captures)
    tables = {}
    for name in STAGED:
        parts = [captures[id_][name] for id_ in ids]
        table = stack(parts) if len(parts) > 1 else parts[0]
        if "capture" not in table.column_names:
            lengths = [part.num_rows for part in parts]
            table = table.add_column(0, STAGED[name].schema.field("capture"), _ids(ids, lengths))
        tables[name] = table
    return tables


def _ids(ids: Sequence[str], lengths: Sequence[int]) -> pa.Array:
    numbers = np.repeat(np.arange(len(ids), dtype=np.int32), lengths)
    return pa.DictionaryArray.from_arrays(pa.array(numbers), pa.array(ids, pa.string()))
