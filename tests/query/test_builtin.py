"""The scopes that every repository has, made of the columns of its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pytest

from webgeist.query.builtin import builtin_scopes, merged, plain_columns
from webgeist.query.scopes import Column, Making

if TYPE_CHECKING:
    from webgeist.query.scopes import Scope
    from webgeist.repository.release import Release


@pytest.fixture(scope="module")
def scopes(release: Release) -> dict[str, Scope]:
    tables = {name: release.columns(name) for name in release.tables()}
    return {scope.name: scope for scope in builtin_scopes(tables)}


def test_a_release_without_analyses_has_no_blocks() -> None:
    bare = builtin_scopes({"captures": {"capture": pa.string(), "url": pa.string()}})
    assert [scope.name for scope in bare] == ["@page"]
    assert list(bare[0].columns) == ["capture", "url"]


def test_the_tag_is_the_name_in_any_case(scopes: dict[str, Scope]) -> None:
    tag, name = scopes["@dom"].columns["tagName"], scopes["@dom"].columns["name"]
    assert (tag.source, tag.folded, name.folded) == ("name", True, False)
    assert scopes["@dom"].columns["nodeType"].source == "type"  # `type` is the attribute


def test_attributes_by_their_own_names_and_by_any(scopes: dict[str, Scope]) -> None:
    dom = scopes["@dom"]
    for name, making in (("class", Making.ATTRIBUTE), ("type", Making.INPUT_TYPE)):
        column = dom.columns[name]
        assert (column.source, column.key, column.making) == ("attributes", name, making)
    found = dom.find("attributes.data-x.y")
    assert found is not None
    assert (found.key, found.making) == ("data-x.y", Making.ATTRIBUTE)
    assert dom.find("attributes.") is None
    assert dom.find("name.x") is None


def test_numbers_of_styles_stand_beside_their_texts(scopes: dict[str, Scope]) -> None:
    styles = scopes["@styles"].columns
    assert styles["font-size"].number is styles["font_size_px"]
    outline = styles["outline-width"].number  # has no column of numbers
    assert outline is not None
    assert (outline.making, outline.source) == (Making.NUMBER, "outline-width")
    channels = styles["color"].channels
    assert channels is not None
    assert [each.name for each in channels] == ["color_r", "color_g", "color_b", "color_alpha"]
    assert styles["font_size_px"].unit == "px"


def test_styles_can_be_asked_without_nodes(scopes: dict[str, Scope]) -> None:
    styles = scopes["@styles"]
    assert [part.weight for part in styles.parts] == [None, "nodes", "nodes"]
    assert set(styles.columns["capture"].tables) == {"nodes", "styles_inherited", "styles_own"}
    assert styles.columns["node"].tables == ("nodes",)


def test_a_plugins_columns_never_hide_others(scopes: dict[str, Scope]) -> None:
    """Its `kind` is there under its name; what is called like nothing else keeps its own."""
    columns = scopes["@visual"].columns
    assert columns["kind"].tables == ("blocks",)
    assert (columns["corners_kind"].source, columns["corners_kind"].tables) == (
        "kind",
        ("features_corners",),
    )
    assert columns["radius"].source == "radius"
    assert columns["capture"].tables == ("blocks", "features", "features_corners")


def test_columns_of_both_tables_are_in_either() -> None:
    one = plain_columns("a", {"k": pa.int32(), "own": pa.int32()})
    other = plain_columns("b", {"k": pa.int32(), "y": pa.int32()}, without=("y",))
    assert merged(one, other) == {
        "k": Column("k", pa.int32(), ("a", "b")),
        "own": Column("own", pa.int32(), ("a",)),
    }


def test_internal_columns_are_not_shown(scopes: dict[str, Scope]) -> None:
    assert "info" not in scopes["@page"].columns
    assert not {"style_inherited", "style_own"} & set(scopes["@dom"].columns)
    assert not {"answer", "request", "notes"} & set(scopes["@resources"].columns)
