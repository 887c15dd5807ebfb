"""Tables as streams: all rows once, in every form, from any row on."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.csv as pcsv
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.server.asking import IDS, serving

from webgeist.repository.repository import open_repository
from webgeist.server.tables import TableChunks, TablePart

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.asking import Asked


def _lines(server: Asked, path: str) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    answer = server.get(path)
    assert answer.status_code == 200, answer.text
    *rows, end = map(json.loads, answer.text.splitlines())
    assert list(end) == ["$end"]
    return rows, end["$end"]


def test_all_rows_of_every_table(server: Asked, folder: Path) -> None:
    listed = server.json("/v1/tables.json")["tables"]
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        assert set(listed) == set(release.tables())
        for name, known in listed.items():
            rows, end = _lines(server, f"/v1/tables/{name}.ndjson")
            assert len(rows) == end["rows"] == known["rows"] == release.table(name).num_rows
            assert all(list(row) == list(known["columns"]) for row in rows)
            assert (end["release"], end["cut"], end["next"]) == (2, False, None)


def test_arrow_is_the_table(server: Asked, folder: Path) -> None:
    answer = server.get("/v1/tables/nodes.arrow")
    assert answer.headers["content-type"] == "application/vnd.apache.arrow.stream"
    found = pa.ipc.open_stream(io.BytesIO(answer.content)).read_all()
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        assert found.to_pylist() == release.table("nodes").to_pylist()


def test_csv_is_read_by_others(server: Asked) -> None:
    body = server.get("/v1/tables/links.csv?columns=capture,node,url").content
    table = pcsv.read_csv(io.BytesIO(body))
    *_, closing = table.to_pylist()
    assert table.column_names == ["capture", "node", "url"]
    assert closing["capture"].startswith("$end {")
    assert json.loads(closing["capture"][5:])["rows"] == table.num_rows - 1


def test_some_columns_of_some_captures(server: Asked) -> None:
    path = f"/v1/tables/nodes.ndjson?columns=node,capture&captures={IDS[3]},{IDS[1]}"
    rows, _ = _lines(server, path)
    assert rows == [{"node": n, "capture": id_} for id_ in (IDS[1], IDS[3]) for n in range(5)]


def test_a_cut_stream_goes_on_where_it_says(server: Asked) -> None:
    whole, _ = _lines(server, "/v1/tables/nodes.ndjson?columns=capture,node")
    found: list[dict[str, Any]] = []
    path, parts = "/v1/tables/nodes.ndjson?columns=capture,node&limit=7", 0
    while path:
        rows, end = _lines(server, path)
        found, path, parts = found + rows, end["next"], parts + 1
        assert end.get("reason") == ("limit" if end["cut"] else None)
    assert found == whole
    assert parts == -(-len(whole) // 7)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(
    start=st.integers(0, 70),
    limit=st.none() | st.integers(0, 70),
    captures=st.none() | st.sets(st.sampled_from(IDS), max_size=4),
)
def test_any_part_is_that_part_of_the_whole(
    folder: Path, start: int, limit: int | None, captures: set[str] | None
) -> None:
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        all_rows = release.table("nodes", ["capture", "node"]).to_pylist()
        wanted = [row for row in all_rows if captures is None or row["capture"] in captures]
        chosen = None if captures is None else tuple(captures)
        part = TablePart("nodes", "ndjson", ("capture", "node"), chosen, start, limit)
        *rows, end = map(json.loads, b"".join(TableChunks(release, part, seconds=1e9)).splitlines())
    expected = wanted[start:] if limit is None else wanted[start : start + limit]
    assert rows == expected
    assert end["$end"]["rows"] == len(expected)
    assert end["$end"]["cut"] == (start + len(expected) < len(wanted))


def test_a_stream_that_takes_too_long_is_cut(folder: Path) -> None:
    hours = iter(range(1000))
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        part = TablePart("nodes", "ndjson")
        chunks = TableChunks(release, part, seconds=0.5, clock=lambda: 3600.0 * next(hours))
        end = json.loads(b"".join(chunks).splitlines()[-1])["$end"]
    assert (end["rows"], end["cut"], end["reason"]) == (0, True, "time")
    assert end["next"] == "/v1/tables/nodes.ndjson?release=2&start=0"


@pytest.mark.parametrize(
    ("path", "status", "where"),
    [
        ("nodes.ndjson?columns=", 400, "query columns"),
        ("nodes.ndjson?columns=node,node", 400, "query columns"),
        ("nodes.ndjson?captures=nobody", 400, "query captures"),
        ("nodes.ndjson?start=-1", 400, "query start"),
        ("nodes.ndjson?start=99999999999999999999999", 400, "query start"),
        ("nodes.ndjson?limit=1.5", 400, "query limit"),
        ("nodes.parquet", 404, "path form"),
    ],
)
def test_what_makes_no_sense(server: Asked, path: str, status: int, where: str) -> None:
    assert server.problem(f"/v1/tables/{path}", status)["where"] == where


def test_the_nearest_name_is_offered(server: Asked) -> None:
    assert server.problem("/v1/tables/node.csv", 404)["remedy"] == "did you mean nodes?"
    found = server.problem("/v1/tables/nodes.csv?columns=rendered_texts", 404)
    assert found["remedy"] == "did you mean rendered_text?"
    server.problem("/v1/tables/..%2f..%2fstate.db.csv", 404)


def test_no_more_streams_than_allowed(folder: Path) -> None:
    with serving(folder, streams=1) as asked, asked.running.serving.streams.one():
        found = asked.client.get("/v1/tables/nodes.csv")
        assert (found.status_code, found.headers["retry-after"]) == (503, "10")
        assert asked.json("/v1/limits.json")["now"]["streams"] == 1
    with serving(folder, streams=1) as asked:
        for _ in range(3):  # one after the other is no problem
            assert asked.get("/v1/tables/nodes.csv").status_code == 200
