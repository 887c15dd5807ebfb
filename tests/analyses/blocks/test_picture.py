"""Trees as pictures."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from webgeist.analyses.blocks import model as models
from webgeist.analyses.blocks.blocktype import block_type
from webgeist.analyses.blocks.picture import draw

SVG = "{http://www.w3.org/2000/svg}"


def small(name: str) -> models.Model:
    tree = models.Tree([0, -1, -1], [0.5, 0, 0], [1, -1, -1], [2, -1, -1], [0.4, 0, 1], [10, 6, 4])
    return models.Model("kind", (name,), (tree,), "")


def words(svg: str) -> list[str]:
    return [each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")]


def test_questions_answers_and_leaves() -> None:
    found = words(draw(small("fields")))
    assert found == ["yes", "no", "fields ≤ 0.5?", "0.00 of 6", "1.00 of 4"]


def test_yes_stands_left_of_no() -> None:
    root = ET.fromstring(draw(small("fields")))
    boxes = [float(each.attrib["x"]) for each in root.iter(f"{SVG}rect")]
    assert boxes[1] < boxes[0] < boxes[2]


def test_names_are_escaped() -> None:
    svg = draw(small("<script>alert(1)</script>"))
    assert "<script" not in svg
    assert any("<script>" in each for each in words(svg))


def test_a_large_tree_is_cut_and_stays_a_picture() -> None:
    svg = draw(block_type("pagination").trained())
    assert 10 < len(words(svg)) < 400
