"""Design queries over HTTP: the paper's addresses, every form, and everything that makes no sense."""

from __future__ import annotations

import io
import json
import socket
import threading
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.asking import IDS, Asked, problem, serving

from webgeist.errors import LimitError
from webgeist.repository.repository import open_repository
from webgeist.server import queries
from webgeist.server.queries import SCOPES

if TYPE_CHECKING:
    from pathlib import Path

    import httpx

    from webgeist.query.watch import Stop

TEXTS = {"$from": "@dom", "$where": {"name": "p"}, "$select": ["capture", "node"]}
ATTACKS = (
    "'; DROP TABLE nodes; --",
    "\"; COPY (SELECT 1) TO '/tmp/x'; --",
    "$1",
    "{{7*7}}",
    "../../../../etc/passwd",
    "\x00",
    "\ud7ff\U0001f600\u202e",
    "a" * 5000,
    "%00",
    "__proto__",
    "\r\nX-Injected: 1",
    "<script>alert(1)</script>",
)


def _post(server: Asked, path: str, query: object) -> httpx.Response:
    return server.client.post(path, json=query)


@pytest.mark.parametrize("name", SCOPES)
def test_every_example_of_the_description_runs(server: Asked, name: str) -> None:
    answer = _post(server, f"/v1/{name}.json", SCOPES[name][2])
    assert answer.status_code == 200, answer.text
    assert answer.json()["release"] == 2


def test_as_the_paper_prints_it(server: Asked) -> None:
    query = '{\n  "$select": [\n    {"@styles": {"$distinct": "cursor"}}\n  ]\n}'
    for path in ("/v1/dom.json", "/v1/styles.json"):
        found = server.client.post(path, data={"query": query.replace("cursor", "opacity")})
        assert found.status_code == 200, found.text
        assert [row["opacity"] for row in found.json()["items"]] in ([0.5], ["0.5"])


def test_json_and_form_are_the_same_query(server: Asked) -> None:
    one = _post(server, "/v1/query.json", TEXTS).json()
    other = server.client.post("/v1/query.json", data={"query": json.dumps(TEXTS)}).json()
    assert one["items"] == other["items"]
    assert sorted(row["capture"] for row in one["items"]) == sorted(IDS)


def test_every_form_has_the_same_rows(server: Asked) -> None:
    expected = sorted(_post(server, "/v1/query.json", TEXTS).json()["items"], key=str)
    *lines, end = map(json.loads, _post(server, "/v1/query.ndjson", TEXTS).text.splitlines())
    assert sorted(lines, key=str) == expected
    assert end["$end"]["rows"] == len(expected)
    arrow = _post(server, "/v1/query.arrow", TEXTS)
    table = pa.ipc.open_stream(io.BytesIO(arrow.content)).read_all()
    assert sorted(table.to_pylist(), key=str) == expected
    csv = _post(server, "/v1/query.csv", TEXTS).text.split("\r\n")
    assert csv[0] == "capture,node"
    assert len(csv) == len(expected) + 3  # names, rows, closing record, nothing


def test_release_pins(server: Asked) -> None:
    count = {"$from": "@page", "$count": 1}
    assert _post(server, "/v1/query.json", count).json()["items"] == [{"count": 13}]
    pinned = _post(server, "/v1/query.json?release=1", count).json()
    assert (pinned["release"], pinned["items"]) == (1, [{"count": 6}])
    problem(_post(server, "/v1/query.json?release=7", count), 404)


def test_a_cut_answer_says_so(folder: Path) -> None:
    with serving(folder, query_rows=4) as asked:
        answer = _post(asked, "/v1/query.json", TEXTS)
        found = answer.json()
        assert (found["rows"], found["cut"], found["reason"]) == (4, True, "rows")
        assert answer.headers["webgeist-cut"] == "rows"
        assert len(found["items"]) == 4
        whole = _post(asked, "/v1/query.json", TEXTS | {"$limit": 3})
        assert (whole.json()["cut"], whole.headers["webgeist-cut"]) == (False, "no")


def test_explain_runs_nothing_and_tells_no_paths(server: Asked, folder: Path) -> None:
    answer = _post(server, "/v1/explain.json", TEXTS)
    found = answer.json()
    assert found["tables"]["nodes"]
    assert found["estimate"]["rows"] == 60
    assert "tables/nodes/" in found["sql"]
    assert str(folder) not in answer.text
    assert "'p'" not in found["sql"]  # values are parameters


def test_the_schema_names_what_can_be_asked(server: Asked) -> None:
    found = server.json("/v1/schema.json")
    scopes = {each["scope"]: each for each in found["scopes"]}
    assert {scope for scope, *_ in SCOPES.values() if scope} <= set(scopes)
    columns = {column["name"]: column for column in scopes["@dom"]["columns"]}
    assert "div" in columns["name"]["examples"]
    assert server.json("/v1/schema.json?release=1")["release"] == 1


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ({"$wher": []}, "$wher"),
        ({"$from": "@nobody"}, "$from"),
        ({"$from": "@dom", "$select": ["colour"]}, "$select"),
        ({"$from": "@dom", "$where": {"name": {"$gtt": 1}}}, "$where"),
        ({"$from": "@dom", "$where": {"x": {"$gt": "wide"}}}, "$where"),
        ({"$from": "@dom", "$limit": -1}, "$limit"),
    ],
)
def test_the_place_of_a_mistake(server: Asked, query: dict[str, Any], where: str) -> None:
    found = problem(_post(server, "/v1/query.json", query), 400)
    assert found["type"] == "urn:webgeist:problem:query"
    assert found["where"].startswith(where)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b"1e999",
        b"NaN",
        b"\xff\xfe",
        b'{"$from": "@dom", "$where": []}}',
        b'{"$select": []}',
        b"[" * 100_000,
        b'{"$and":[' * 10_000 + b"]}" * 10_000,
        json.dumps({"$from": "@dom", "$where": {"name": {"$regex": "a" * 1_000_000}}}).encode(),
        json.dumps({"$from": "@dom", "$where": {"name": {"$regex": "(" * 1000}}}).encode(),
    ],
    ids=range(14),
)
def test_no_nonsense_is_a_bug(server: Asked, body: bytes) -> None:
    headers = {"content-type": "application/json"}
    answer = server.client.post("/v1/query.json", content=body, headers=headers)
    assert 400 <= answer.status_code < 500, answer.text
    problem(answer, answer.status_code)
    assert server.get("/v1/").status_code == 200


def _hash(folder: Path) -> dict[str, str]:
    """All files of a repository; SQLite's own beside state.db come and go with readers."""
    return {
        str(path.relative_to(folder)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith("state.db-")
    }


@pytest.mark.parametrize("attack", ATTACKS, ids=range(len(ATTACKS)))
def test_no_string_in_any_place_is_more_than_a_string(
    server: Asked, folder: Path, attack: str
) -> None:
    before = _hash(folder)
    queries: list[Any] = [
        {"$from": "@dom", "$where": {"name": attack}, "$select": ["node"]},
        {"$from": "@dom", "$where": {"name": {"$in": [attack]}}, "$select": ["node"]},
        {"$from": "@dom", "$where": {"name": {"$like": f"x{attack}"}}, "$select": ["node"]},
        {"$from": "@dom", "$where": {attack: 1}},
        {"$from": "@dom", "$where": {"name": {attack: 1}}},
        {"$from": "@dom", "$select": [attack]},
        {"$from": "@dom", "$select": [{attack: "name"}]},
        {"$from": "@dom", "$select": [{"$distinct": attack}]},
        {"$from": attack, "$count": 1},
        {attack: 1},
        {"$from": "@dom", "$group": attack, "$count": 1},
        {"$from": "@dom", "$order": attack, "$select": ["node"]},
    ]
    for query in queries:
        answer = _post(server, "/v1/query.json", query)
        assert answer.status_code in (200, 400), answer.text
        if answer.status_code == 200:  # nothing is called so, but a column can be
            assert {name for row in answer.json()["items"] for name in row} <= {attack}
    for path in ("/v1/pages.json?url={}", "/v1/pages.json?host={}", "/v1/pages.json?after={}"):
        assert server.get(path.format(_quoted(attack))).status_code in (200, 400)
    for path in (
        "/v1/{}",
        "/v1/pages/{}.json",
        "/v1/tables/{}.csv",
        "/v1/tables/nodes.{}",
        "/v1/tables/nodes.csv?columns={}",
        "/v1/tables/nodes.csv?captures={}",
        "/v1/resources/{}",
        f"/v1/pages/{IDS[0]}/nodes/{{}}.json",
        f"/v1/pages/{IDS[0]}/{{}}",
        "/v1/releases.json?release={}",
    ):
        answer = server.get(path.format(_quoted(attack)))
        assert answer.status_code in (200, 400, 404), (path, answer.text)
        assert "x-injected" not in answer.headers
    for name in ("if-none-match", "accept", "cookie", "x-forwarded-host", "content-type"):
        value = attack.encode("utf-8", "replace").replace(b"\0", b"").replace(b"\r\n", b"")
        assert server.get("/v1/", headers={name: value.strip()[:4000]}).status_code == 200
    assert _hash(folder) == before


def _quoted(text: str) -> str:
    from urllib.parse import quote

    return quote(text, safe="")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["$from", "$where", "$select", "$and", "$not", "name", "@styles", "$limit", "$gt"]
            )
            | st.text(max_size=6),
            below,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=60)
@given(_JSON)
def test_whatever_is_asked_is_answered_or_refused(folder: Path, query: Any) -> None:
    from webgeist.errors import QueryError
    from webgeist.query.ask import ask

    with (
        open_repository(folder, readonly=True) as repository,
        repository.release() as release,
        suppress(QueryError, LimitError),
    ):
        assert ask(release, json.dumps(query)).release == 2


def test_what_would_scan_for_ever_is_ended(folder: Path) -> None:
    endless = {
        "$from": "@dom",
        "$where": {"@descendants": {"$cnt": {"$gt": 0}}},
        "$count": 1,
    }
    with serving(folder, query_seconds=0.000001) as asked:
        answer = _post(asked, "/v1/query.json", endless)
        assert answer.status_code in (200, 422), answer.text
        if answer.status_code == 422:
            assert problem(answer, 422)["type"].endswith(":limit")
        assert asked.get("/v1/").status_code == 200


def test_fetch_names_what_is_stored(server: Asked) -> None:
    query = {"$from": "@resources", "$select": ["url"], "$order": "url", "$fetch": "url"}
    found = _post(server, "/v1/query.json", query).json()
    assert [each["url"] for each in found["fetched"]] == [row["url"] for row in found["items"]]
    for each in found["fetched"]:
        body = server.get(each["links"]["bytes"]).content
        assert sha256(body).hexdigest() == each["sha256"]
    *_, end = _post(server, "/v1/query.ndjson", query).text.splitlines()
    assert json.loads(end)["$end"]["fetched"] == found["fetched"]


def test_fetch_says_what_is_not_stored(server: Asked) -> None:
    query = {"$where": {"host": "other.example"}, "$distinct": "url"}
    found = _post(server, "/v1/pages.json", query | {"$fetch": "url"}).json()
    assert {each["sha256"] for each in found["fetched"]} == {None}
    assert all(each["links"] == {} for each in found["fetched"])
    assert "fetched" not in _post(server, "/v1/pages.json", query).json()


def test_a_query_ends_when_its_client_leaves(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, stopped = threading.Event(), threading.Event()

    def endless(*_: Any, stop: Stop, **__: Any) -> Any:
        begun.set()
        with stop.ending(stopped.set):
            assert stopped.wait(30)
        raise LimitError("nobody waits")

    monkeypatch.setattr(queries, "ask", endless)
    with serving(folder) as asked:
        address = ("127.0.0.1", asked.running.address.port)
        body = b'{"$count": 1}'
        head = (
            f"POST /v1/query.json HTTP/1.1\r\nHost: 127.0.0.1:{address[1]}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        with socket.create_connection(address) as client:
            client.sendall(head.encode() + body)
            assert begun.wait(30)
            assert not stopped.is_set()
        assert stopped.wait(30)
        assert asked.get("/v1/").status_code == 200
