"""Single nodes and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.repository.making import make_page
from tests.server.asking import FAILED, IDS

from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.asking import Asked


def test_a_node_with_its_columns_and_styles(server: Asked) -> None:
    found = server.json(f"/v1/pages/{IDS[2]}/nodes/3.json")
    page = make_page(2)
    assert (found["release"], found["capture"], found["node"]) == (2, IDS[2], 3)
    assert (found["name"], found["text"], found["attributes"]) == ("p", "text 2", {"id": "n3"})
    assert (found["x"], found["y"], found["width"]) == (1.5, 3.0, 10.0)
    assert found["styles"] == page.style(3)
    assert set(page.nodes.column_names) <= set(found)
    assert server.json(found["links"]["page"])["capture"] == IDS[2]
    assert server.get(found["links"]["picture"]).headers["content-type"] == "image/png"


def test_a_block_with_its_features(server: Asked, folder: Path) -> None:
    found = server.json(f"/v1/pages/{IDS[2]}/blocks/0.json")
    with open_repository(folder, readonly=True) as repository, repository.release() as release:
        block = release.rows("blocks", IDS[2]).to_pylist()[0]
        features = release.rows("features", IDS[2]).to_pylist()[0]
    assert {name: found[name] for name in block} == block
    assert found["features"]["words"] == features["words"]
    assert found["features"].keys() == features.keys() - {"capture", "block"}
    assert server.json(found["links"]["node"])["node"] == block["node"]


def test_what_is_not_there(server: Asked) -> None:
    assert "0 to 4" in server.problem(f"/v1/pages/{IDS[2]}/nodes/5.json", 404)["remedy"]
    assert "no page" in server.problem(f"/v1/pages/{FAILED}/nodes/0.json", 404)["remedy"]
    assert server.problem(f"/v1/pages/{IDS[2]}/nodes/-1.json", 400)["where"] == "path node"
    assert server.problem(f"/v1/pages/{IDS[2]}/nodes/x.json", 400)["where"] == "path node"
    server.problem(f"/v1/pages/{IDS[2]}/nodes/{10**30}.json", 400)
    assert "blocks" in server.problem(f"/v1/pages/{IDS[2]}/blocks/999.json", 404)["detail"]
    assert "analyse" in server.problem(f"/v1/pages/{IDS[2]}/blocks/0.json?release=1", 404)["remedy"]
    assert "no capture" in server.problem(f"/v1/pages/{'0' * 26}/blocks/0.json", 404)["detail"]


def test_who_has_it_already_gets_nothing_again(server: Asked) -> None:
    for path in (f"/v1/pages/{IDS[0]}/nodes/1.json", f"/v1/pages/{IDS[0]}/blocks/0.json"):
        tag = server.get(path).headers["etag"]
        assert server.get(path, headers={"if-none-match": tag}).status_code == 304
        assert server.get(path, headers={"if-none-match": '"x"'}).status_code == 200
