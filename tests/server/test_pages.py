"""Captures by id, and lists of them."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from tests.server.asking import COUNT, FAILED, IDS

from webgeist.server.forms import METADATA

if TYPE_CHECKING:
    import httpx
    from tests.server.asking import Asked


def test_a_capture_with_all_that_is_known_of_it(server: Asked) -> None:
    found = server.json(f"/v1/pages/{IDS[3]}.json")
    assert (found["release"], found["capture"], found["title"]) == (2, IDS[3], "Page 3")
    assert found["info"]["metadata"]["title"] == "Page 3"
    assert found["info"]["headers"] == {"content-type": "text/html"}
    for name, link in found["links"].items():
        if name != "html":
            assert server.get(link).status_code == 200, link


def test_links_are_only_those_that_lead_somewhere(server: Asked) -> None:
    found = server.json(f"/v1/pages/{FAILED}.json")
    assert not {"node", "block", "html", "screenshot"} & set(found["links"])
    assert "block" not in server.json(f"/v1/pages/{IDS[0]}.json?release=1")["links"]


def test_a_list_goes_on_where_next_says_in_the_same_release(server: Asked) -> None:
    found, path, pages = [], "/v1/pages.json?limit=5", 0
    while path:
        page = server.json(path)
        found += [each["capture"] for each in page["items"]]
        assert page["cut"] == (page["next"] is not None)
        assert page["rows"] == len(page["items"]) <= 5
        path, pages = page["next"], pages + 1
    assert found == sorted([*IDS, FAILED])
    assert pages == 3


def test_a_list_of_exactly_one_page_is_not_cut(server: Asked) -> None:
    page = server.json("/v1/pages.json", params={"limit": COUNT + 1})
    assert (page["rows"], page["cut"], page["next"]) == (COUNT + 1, False, None)


def test_a_list_of_one_url_or_host(server: Asked) -> None:
    page = server.json("/v1/pages.json", params={"host": "other.example", "limit": 4})
    assert [each["capture"] for each in page["items"]] == IDS[6:10]
    assert [each["capture"] for each in server.json(page["next"])["items"]] == IDS[10:]
    (one,) = server.json("/v1/pages.json", params={"url": "http://other.example/7"})["items"]
    assert one["capture"] == IDS[7]
    assert server.json("/v1/pages.json", params={"url": "' OR 1=1 --"})["items"] == []


def _captures(answer: httpx.Response, form: str) -> tuple[list[str], dict[str, object]]:
    if form == "json":
        body = answer.json()
        return [each["capture"] for each in body.pop("items")], body
    if form == "ndjson":
        *rows, end = map(json.loads, answer.text.splitlines())
        return [row["capture"] for row in rows], end["$end"]
    if form == "csv":
        lines = answer.text.split("\r\n")
        end = json.loads(lines[-2].rstrip(",").strip('"').replace('""', '"')[len("$end ") :])
        return [line.partition(",")[0] for line in lines[1:-2]], end
    with pa.ipc.open_stream(io.BytesIO(answer.content)) as opened:
        rows, said = [], b""
        while True:
            try:
                batch, metadata = opened.read_next_batch_with_custom_metadata()
            except StopIteration:
                return rows, json.loads(said)
            rows += batch.column("capture").to_pylist()
            said = metadata[METADATA] if metadata else said


@pytest.mark.parametrize("form", ["json", "ndjson", "csv", "arrow"])
def test_every_form_has_the_same_rows_and_ending(server: Asked, form: str) -> None:
    found, end = _captures(server.get(f"/v1/pages.{form}?limit=3"), form)
    assert found == IDS[:3]
    assert (end["release"], end["rows"], end["cut"]) == (2, 3, True)
    assert str(end["next"]).startswith(f"/v1/pages.{form}?")
    more, end = _captures(server.get(str(end["next"])), form)
    assert more == IDS[3:6]


def test_what_is_not_there(server: Asked) -> None:
    assert "no capture" in server.problem(f"/v1/pages/{'0' * 26}.json", 404)["detail"]
    assert "no capture" in server.problem(f"/v1/pages/{IDS[9]}.json?release=1", 404)["detail"]
    assert server.problem("/v1/pages/x.json", 400)["where"] == "path capture"
    assert server.problem("/v1/pages.json?after=x", 400)["where"] == "query after"
    assert server.problem("/v1/pages.json?limit=0", 400)["where"] == "query limit"
    assert "newest is 2" in server.problem("/v1/pages.json?release=9", 404)["remedy"]
    server.problem("/v1/pages.xml", 404)


def test_who_has_it_already_gets_nothing_again(server: Asked) -> None:
    path = f"/v1/pages/{IDS[0]}.json"
    tag = server.get(path).headers["etag"]
    same = server.get(path, headers={"if-none-match": f'"other", W/{tag}'})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", tag)
    other = server.get(f"{path}?release=1", headers={"if-none-match": tag})
    assert other.status_code == 200
    assert other.headers["etag"] != tag
