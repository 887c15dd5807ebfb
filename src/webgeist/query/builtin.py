"""The scopes that every repository has: pages, nodes, styles, blocks, texts, resources, links.

What columns mean is told where their tables are made; here stands what only queries have.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from webgeist.analyses.features.columns import FEATURES
from webgeist.analyses.features.whole import WHOLE
from webgeist.query.meanings import MEANINGS
from webgeist.query.scopes import Column, Making, Part, Scope
from webgeist.repository.typed import COLOURS, TYPED, typed_columns

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Tables = dict[str, dict[str, pa.DataType]]  # the columns of each table of a release

PAGE_ID = {"page_id": "capture"}
_ATTRIBUTES = ("id", "class", "href", "src", "alt", "title", "role", "rel", "placeholder")
_NOTES = {each.name: (each.unit, each.meaning) for each in (*WHOLE, *FEATURES)}
_STYLE_TABLES = ("styles_inherited", "styles_own")


def builtin_scopes(tables: Tables) -> list[Scope]:
    """Those that the tables of a release suffice for."""
    makers = {
        "captures": (_page,),
        "nodes": (_dom, _styles, _text),
        "blocks": (_visual,),
        "resources": (_resources,),
        "links": (_links,),
    }
    return [make(tables) for table, found in makers.items() if table in tables for make in found]


def plain_columns(
    table: str, types: Mapping[str, pa.DataType], without: Iterable[str] = ()
) -> dict[str, Column]:
    """A table's columns as they are."""
    left_out = set(without)
    return {
        name: Column(name, type_, (table,), "", *_note(table, name))
        for name, type_ in types.items()
        if name not in left_out
    }


def _note(table: str, name: str) -> tuple[str, str]:
    return MEANINGS.get((table, name)) or _NOTES.get(name, ("", ""))


def merged(first: Mapping[str, Column], second: Mapping[str, Column]) -> dict[str, Column]:
    """The columns of both; those of the same name are in either table."""
    shared = {
        name: replace(column, tables=(*column.tables, *second[name].tables))
        for name, column in first.items()
        if name in second
    }
    return {**first, **second, **shared}


def _page(tables: Tables) -> Scope:
    columns = plain_columns("captures", tables["captures"], without=("info",))
    parts = [Part("captures")]
    if "pages" in tables:
        columns = merged(columns, plain_columns("pages", tables["pages"]))
        parts.append(Part("pages"))
    return Scope(
        "@page",
        "captures: one rendering of one URL at one time in one viewport",
        tuple(parts),
        ("capture",),
        columns,
        PAGE_ID,
        ("url", "title"),
    )


def _dom(tables: Tables) -> Scope:
    columns = plain_columns("nodes", tables["nodes"], without=("style_inherited", "style_own"))
    number = columns.pop("type")
    columns["nodeType"] = replace(number, name="nodeType", stored="type")
    for name in _ATTRIBUTES:
        columns[name] = _attribute(name, Making.ATTRIBUTE, f"the attribute `{name}`")
    columns["type"] = _attribute("type", Making.INPUT_TYPE, Making.INPUT_TYPE.value)
    columns["tagName"] = replace(
        columns["name"], name="tagName", stored="name", folded=True, meaning="`name`, in any case"
    )
    return Scope(
        "@dom",
        "nodes of the DOM, frames and shadow trees included",
        (Part("nodes"),),
        ("capture", "node"),
        columns,
        PAGE_ID,
        ("name", "x", "y", "width", "height", "rendered_text"),
        hierarchy="node",
    )


def _attribute(name: str, making: Making, meaning: str) -> Column:
    return Column(name, pa.string(), ("nodes",), "attributes", "", meaning, making, name)


def _styles(tables: Tables) -> Scope:
    parts = [Part("nodes")]
    columns = {
        name: replace(column, tables=("nodes", *_STYLE_TABLES) if name == "capture" else ("nodes",))
        for name, column in plain_columns("nodes", tables["nodes"]).items()
        if name in ("capture", "node")
    }
    for table in _STYLE_TABLES:
        on = (("capture", "capture"), (table.replace("styles", "style"), "style"))
        parts.append(Part(table, on, weight="nodes"))
        columns |= _properties(table, tables.get(table, {}))
    return Scope(
        "@styles",
        "computed styles of the nodes that are laid out; counts are of nodes",
        tuple(parts),
        ("capture", "node"),
        columns,
        PAGE_ID,
        only="style_own",
    )


def _properties(table: str, types: Mapping[str, pa.DataType]) -> dict[str, Column]:
    """Every longhand, with the numbers beside it."""
    stored = {
        name: type_ for name, type_ in types.items() if name not in ("capture", "style", "nodes")
    }
    numbers = {
        name: Column(name, type_, (table,), "", *_typed_note(name))
        for name, type_ in stored.items()
        if name in TYPED
    }
    longhands = {name: _property(name, table, numbers) for name in stored if name not in TYPED}
    return {**longhands, **numbers}


def _property(name: str, table: str, numbers: Mapping[str, Column]) -> Column:
    column = Column(name, pa.string(), (table,), "", "", "the computed value, as CSS text")
    beside = [numbers[each.name] for each in typed_columns(name) if each.name in numbers]
    if name in COLOURS:
        r, g, b, alpha = beside
        return replace(column, channels=(r, g, b, alpha))
    if beside:
        return replace(column, number=beside[0])
    return replace(
        column, number=replace(column, type=pa.float64(), stored=name, making=Making.NUMBER)
    )


def _typed_note(name: str) -> tuple[str, str]:
    if name.endswith("_px"):
        return "px", "the length as a number; null where it depends on something else"
    if name.endswith("_alpha"):
        return "0-1", "of the colour"
    return ("0-255", "of the colour, sRGB") if name[-2:] in ("_r", "_g", "_b") else ("", "")


def _visual(tables: Tables) -> Scope:
    on = (("capture", "capture"), ("block", "block"))
    columns = plain_columns("blocks", tables["blocks"])
    parts = [Part("blocks")]
    for table in tables:
        if table == "features" or table.startswith("features_"):
            columns = _with_features(columns, table, tables[table])
            parts.append(Part(table, on, complete=table == "features"))
    return Scope(
        "@visual",
        "blocks of the visual hierarchy, with their features",
        tuple(parts),
        ("capture", "block"),
        columns,
        PAGE_ID,
        ("node", "kind", "x", "y", "width", "height"),
        hierarchy="block",
    )


def _with_features(
    columns: Mapping[str, Column], table: str, types: Mapping[str, pa.DataType]
) -> dict[str, Column]:
    """A further table's columns; a plugin's that are called like others get its name in front."""
    new = plain_columns(table, types)
    if table == "features":
        return merged(columns, new)
    keys = {name: new.pop(name) for name in ("capture", "block")}
    prefix = table.removeprefix("features_")
    renamed = {
        (f"{prefix}_{name}" if name in columns else name): column for name, column in new.items()
    }
    own = {name: replace(column, name=name, stored=column.name) for name, column in renamed.items()}
    return merged(columns, keys) | own


def _text(tables: Tables) -> Scope:
    columns = plain_columns("nodes", tables["nodes"])
    kept = ("capture", "node", "parent", "depth", "x", "y", "width", "height")
    shown = replace(columns["rendered_text"], name="text", stored="rendered_text")
    words = replace(
        shown, name="words", type=pa.int64(), making=Making.WORDS, meaning=Making.WORDS.value
    )
    return Scope(
        "@text",
        "texts as they are laid out",
        (Part("nodes"),),
        ("capture", "node"),
        {name: columns[name] for name in kept} | {"text": shown, "words": words},
        PAGE_ID,
        ("text",),
        only="rendered_text",
    )


def _resources(tables: Tables) -> Scope:
    columns = plain_columns(
        "resources", tables["resources"], without=("answer", "request", "notes")
    )
    return Scope(
        "@resources",
        "what a page asked for over the wire",
        (Part("resources"),),
        ("capture", "exchange"),
        columns,
        PAGE_ID,
        ("url", "status", "bytes", "sha256"),
    )


def _links(tables: Tables) -> Scope:
    return Scope(
        "@links",
        "links of a page",
        (Part("links"),),
        ("capture", "node"),
        plain_columns("links", tables["links"]),
        PAGE_ID,
        ("url", "text"),
    )
