"""GET /v1/tables: any table of a release as a stream, from any row on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import quote, urlencode

import pyarrow as pa
from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from webgeist.repository.release import Release
from webgeist.server.described import json_answer, problems, rows_answer
from webgeist.server.forms import MEDIA_TYPES, Ending, StreamForm, small, writer
from webgeist.server.problems import ProblemError
from webgeist.server.replies import json_reply
from webgeist.server.serving import Held, Shared, capture_id
from webgeist.server.streaming import StreamReply

router = APIRouter(tags=["tables"])
_MOST = 2**62
_ROW = {"capture": "01HQTA33G0X1Y5Z7N3QK2M8R4C", "node": 3, "name": "p"}


@dataclass(frozen=True)
class TablePart:
    """What a stream is asked for: rows `start` to `start + limit` of a table, or of some of it."""

    name: str
    form: str
    columns: tuple[str, ...] | None = None
    captures: tuple[str, ...] | None = None
    start: int = 0
    limit: int | None = None

    def address(self, release: int, start: int) -> str:
        """Where the same goes on."""
        given = {
            "release": str(release),
            "start": str(start),
            "columns": None if self.columns is None else ",".join(self.columns),
            "captures": None if self.captures is None else ",".join(self.captures),
            "limit": None if self.limit is None else str(self.limit),
        }
        query = urlencode({name: text for name, text in given.items() if text is not None})
        return f"/v1/tables/{quote(self.name)}.{self.form}?{query}"


@dataclass
class TableChunks:
    """A part of a table as bytes. It is cut at its limit or when its time is over."""

    release: Release
    part: TablePart
    seconds: float
    clock: Callable[[], float] = time.monotonic
    rows: int = 0
    cut: str | None = None

    def __iter__(self) -> Iterator[bytes]:
        part, types = self.part, self.release.columns(self.part.name)
        columns = list(types) if part.columns is None else list(part.columns)
        pieces = self.release.stream(part.name, columns, part.captures, part.start)
        made = writer(part.form, pa.schema([(name, types[name]) for name in columns]))
        yield made.begin()
        for piece in self._bounded(pieces):
            yield made.piece(piece)
        yield made.end(self._ending())

    def _bounded(self, pieces: Iterator[pa.Table]) -> Iterator[pa.Table]:
        """Pieces up to the limit, or the last second."""
        until = self.clock() + self.seconds
        for piece in pieces:
            for table in small(piece, self.part.form):
                left = (_MOST if self.part.limit is None else self.part.limit) - self.rows
                if left <= 0 or self.clock() > until:
                    self.cut = "limit" if left <= 0 else "time"
                    return
                self.rows += min(left, table.num_rows)
                self.cut = "limit" if left < table.num_rows else None
                yield table.slice(0, left)
                if self.cut:
                    return

    def _ending(self) -> Ending:
        if self.cut is None:
            return Ending(self.release.number, self.rows, cut=False)
        next_ = self.part.address(self.release.number, self.part.start + self.rows)
        return Ending(self.release.number, self.rows, cut=True, next=next_, reason=self.cut)


@router.get(
    "/v1/tables.json",
    summary="The tables of a release",
    responses=json_answer(
        "Each table with its rows, bytes and columns.",
        {
            "release": 3,
            "tables": {
                "links": {
                    "rows": 120,
                    "bytes": 4096,
                    "columns": {"capture": "dictionary<values=string, indices=int32, ordered=0>"},
                }
            },
        },
    )
    | problems(),
)
async def list_tables(release: Held, serving: Shared) -> Response:
    """Names, sizes and columns. `tables/{name}.ndjson`, `.csv` and `.arrow` stream each of them."""

    def found() -> dict[str, object]:
        return {
            name: {
                "rows": files.rows,
                "bytes": sum(file.bytes for file in files.files),
                "columns": {column: str(kind) for column, kind in release.columns(name).items()},
            }
            for name, files in release.manifest.tables.items()
        }

    tables = await serving.quick.run(found)
    return json_reply({"release": release.number, "tables": tables})


@router.get(
    "/v1/tables/{name}.{form}",
    summary="A table as a stream",
    responses=rows_answer("Rows, then a closing record.", _ROW, "ndjson", "csv", "arrow")
    | problems(),
)
async def stream_table(
    *,
    release: Held,
    serving: Shared,
    name: Annotated[str, Path(description="As /v1/tables.json has it.", examples=["nodes"])],
    form: Annotated[StreamForm, Path(description="ndjson, csv or arrow.", examples=["ndjson"])],
    columns: Annotated[
        str | None,
        Query(description="Names with commas; all by default.", examples=["capture,node,name"]),
    ] = None,
    captures: Annotated[
        str | None, Query(description="Ids with commas; all captures by default.")
    ] = None,
    start: Annotated[
        int, Query(ge=0, le=_MOST, description="How many rows to leave out.", examples=[0])
    ] = 0,
    limit: Annotated[
        int | None, Query(ge=0, le=_MOST, description="How many rows to send.", examples=[1000])
    ] = None,
) -> Response:
    """All rows or some, in the order of captures, without an upper bound.

    The closing record says whether rows are left (`cut`) and where to go on (`next`): a release
    never changes, so nothing is lost or sent twice.
    """
    part = TablePart(name, form.value, _names(columns), _ids(captures), start, limit)
    chunks = TableChunks(release, part, serving.settings.api.stream_seconds)
    headers = {
        "content-type": MEDIA_TYPES[form.value],
        "webgeist-release": str(release.number),
        "content-disposition": f'attachment; filename="{quote(name)}.{form.value}"',
    }
    return StreamReply(iter(chunks), headers, serving.quick, serving.streams)


def _names(text: str | None) -> tuple[str, ...] | None:
    if text is None:
        return None
    names = tuple(text.split(","))
    if len(set(names)) < len(names) or "" in names:
        raise ProblemError(
            400,
            "a column's name is empty or stands twice",
            remedy="name each column once, with commas between them",
            where="query columns",
        )
    return names


def _ids(text: str | None) -> tuple[str, ...] | None:
    return (
        None
        if text is None
        else tuple(capture_id(each, "query captures") for each in text.split(","))
    )
