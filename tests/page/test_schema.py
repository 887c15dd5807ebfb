"""The columns of a page's tables, as files on people's disks have them."""

from __future__ import annotations

import pyarrow as pa

from webgeist.page.schema import LINKS, NODES, style_schema


def test_the_columns_of_nodes_stay_as_they_are() -> None:
    assert NODES.names == [
        *("node", "document", "parent", "end", "depth", "type", "name", "text", "attributes"),
        *("shadow", "pseudo", "x", "y", "width", "height", "paint_order", "stacking_context"),
        *("style_inherited", "style_own", "rendered_text", "value", "checked", "selected"),
        *("clickable", "source_url"),
    ]


def test_what_every_node_has_is_never_null() -> None:
    always = {field.name for field in NODES if not field.nullable}
    assert always == {
        *("node", "document", "end", "depth", "type", "name"),
        *("stacking_context", "checked", "selected", "clickable"),
    }


def test_the_columns_of_links_stay_as_they_are() -> None:
    assert LINKS.names == ["node", "href", "url", "text", "rel", "followed"]


def test_a_style_table_has_a_column_for_each_property_in_their_order() -> None:
    schema = style_schema(["width", "color"])
    assert schema.names == ["style", "nodes", "width", "color"]
    assert schema.field("color") == pa.field("color", pa.string(), nullable=False)
