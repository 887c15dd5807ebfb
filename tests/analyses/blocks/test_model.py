"""Trees in JSON."""

from __future__ import annotations

import json

import numpy as np
import pytest

from webgeist.analyses.blocks.blocktype import block_type, block_types
from webgeist.analyses.blocks.model import Model, Tree, read_model
from webgeist.errors import DamagedError, NotFoundError

TREE = Tree(
    [0, -1, 1, -1, -1],
    [0.5, 0, 7, 0, 0],
    [1, -1, 3, -1, -1],
    [2, -1, 4, -1, -1],
    [0.5, 0.1, 0.6, 0.9, 0.2],
    [9, 3, 6, 4, 2],
)
MODEL = Model("m", ("is_link", "size"), (TREE,), "digest")
ROWS = np.array([[0, 1], [1, 1], [1, 8]], np.float32)


def test_rows_go_down_the_tree() -> None:
    assert MODEL.score(ROWS).tolist() == [0.1, 0.9, 0.2]
    assert [TREE.value[TREE.path(row)[-1]] for row in ROWS.tolist()] == [0.1, 0.9, 0.2]


def test_the_path_is_told_in_words() -> None:
    assert MODEL.explain([1.0, 8.0]) == ["is_link", "size = 8 > 7"]
    assert MODEL.explain([0.0, 8.0]) == ["not is_link"]


def test_the_mean_of_several_trees_counts() -> None:
    other = Tree([-1], [0], [-1], [-1], [0.5], [9])
    several = Model("m", MODEL.features, (TREE, other), "digest")
    assert several.score(ROWS).tolist() == pytest.approx([0.3, 0.7, 0.35])


def test_a_tree_as_text() -> None:
    assert MODEL.text().splitlines()[0] == "is_link <= 0.5"
    assert "no: 0.20 (2 examples)" in MODEL.text()


def test_json_there_and_back() -> None:
    assert read_model(MODEL.to_json(), "x") == MODEL


@pytest.mark.parametrize(
    "change", [{"left": [0, -1, 3, -1, -1]}, {"feature": []}, {"right": [99, -1, 4, -1, -1]}]
)
def test_broken_trees_are_refused(change: dict[str, list[int]]) -> None:
    data = json.loads(MODEL.to_json())
    data["trees"][0] |= change
    with pytest.raises(DamagedError, match="tree"):
        read_model(json.dumps(data), "x.json")


def test_what_is_no_model_is_refused() -> None:
    with pytest.raises(DamagedError, match="is no model"):
        read_model("[]", "x.json")


def test_no_rows() -> None:
    assert MODEL.score(np.zeros((0, 2), np.float32)).tolist() == []


def test_the_shipped_types_can_be_used() -> None:
    assert "pagination" in block_types()
    kind = block_type("pagination")
    assert set(kind.trained().features)


def test_an_unknown_type_is_told() -> None:
    with pytest.raises(NotFoundError, match="there is no block type nothing"):
        block_type("nothing")
