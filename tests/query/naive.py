"""What queries mean, in the plainest Python: loops over rows that are dictionaries.

It shares nothing with the code that it checks: it reads the query's JSON itself, knows scopes and
relations by its own words, and no SQL is anywhere near it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from webgeist.repository.release import Release

Row = dict[str, Any]
_FLOATS = {"x", "y", "width", "height", "aspectRatio", "areaOfPage", "radius", "leftSidedness"}
_NAMED = {"black": (0, 0, 0, 1.0), "#333": (51, 51, 51, 1.0), "red": (255, 0, 0, 1.0)}
_COLOURS = ("color", "background-color")
_NUMBERS = {"font-size", "width", "opacity", "font-weight", "outline-width"}


@dataclass(frozen=True)
class World:
    """All rows of all scopes."""

    rows: dict[str, list[Row]] = field(repr=False)

    @staticmethod
    def of(release: Release) -> World:
        tables = {name: release.table(name).to_pylist() for name in release.tables()}
        styles = {
            (table, row["capture"], row["style"]): row
            for table in ("styles_inherited", "styles_own")
            for row in tables[table]
        }
        pages = {row["capture"]: row for row in tables["pages"]}
        features = {(row["capture"], row["block"]): row for row in tables["features"]}
        corners = {(row["capture"], row["block"]): row for row in tables["features_corners"]}
        dom = [_node(row) for row in tables["nodes"]]
        return World(
            {
                "@page": [pages.get(row["capture"], {}) | row for row in tables["captures"]],
                "@dom": dom,
                "@styles": [_styled(row, styles) for row in dom if row["style_own"] is not None],
                "@visual": [_visual(row, features, corners) for row in tables["blocks"]],
                "@text": [
                    row | {"text": row["rendered_text"], "words": len(row["rendered_text"].split())}
                    for row in dom
                    if row["rendered_text"] is not None
                ],
                "@links": tables["links"],
                "@badge": tables["badges"],
                "@trend": tables["trend"],
            }
        )

    def answer(self, query: dict[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of an answer, in any order."""
        scope = query["$from"]
        found = [row for row in self.rows[scope] if self.fulfils(scope, row, query["$where"])]
        if "$count" in query:
            return [(len(found),)]
        if "$top" in query:
            counts = Counter(row.get(query["$top"]) for row in found)
            return [(value, count) for value, count in counts.items() if value is not None]
        if "$avg" in query:
            values = [row[query["$avg"]] for row in found if row.get(query["$avg"]) is not None]
            return [(sum(values) / len(values) if values else None,)]
        if "$distinct" in query:
            different = {row.get(query["$distinct"]) for row in found}
            return [(value,) for value in different if value is not None]
        return [tuple(row.get(name) for name in query["$select"]) for row in found]

    # --- conditions ----------------------------------------------------------------------------

    def fulfils(self, scope: str, row: Row, where: Any) -> bool:
        if isinstance(where, list):
            return all(self.fulfils(scope, row, item) for item in where)
        return all(self._field(scope, row, key, value) for key, value in where.items())

    def _field(self, scope: str, row: Row, key: str, value: Any) -> bool:
        if key == "$and":
            return all(self.fulfils(scope, row, item) for item in value)
        if key == "$or":
            return any(self.fulfils(scope, row, item) for item in value)
        if key == "$not":
            return not self.fulfils(scope, row, value)
        if key.startswith(("@", "$")):
            return self._related(scope, row, key, value)
        return _said(scope, row, key, value)

    def _related(self, scope: str, row: Row, key: str, value: dict[str, Any]) -> bool:
        inner = key if key in self.rows else scope
        every = [other for other in self.rows[inner] if _belongs(scope, key, row, other)]
        quantified = {"$any", "$all", "$none", "$cnt"} & set(value)
        if not quantified:
            if scope == "@page" and key == "@visual":
                every = [other for other in every if other["block"] == 0]
            return any(self.fulfils(inner, other, value) for other in every)
        if "$cnt" in value:
            plain = {name: item for name, item in value.items() if name != "$cnt"}
            count = sum(self.fulfils(inner, other, plain) for other in every)
            return all(_compare(name, count, n) for name, n in value["$cnt"].items())
        found = [self.fulfils(inner, other, value[min(quantified)]) for other in every]
        if "$any" in value:
            return any(found)
        return not any(found) if "$none" in value else bool(found) and all(found)


def _node(row: Row) -> Row:
    attributes = dict(row["attributes"] or [])
    kind = attributes.get("type")
    if row["name"] == "input":
        kind = (kind or "text").lower()
    return row | {
        "tagName": row["name"],
        "nodeType": row["type"],
        "type": kind,
        "class": attributes.get("class"),
        "id": attributes.get("id"),
    }


def _styled(row: Row, styles: dict[tuple[str, str, int], Row]) -> Row:
    found: Row = {"capture": row["capture"], "node": row["node"]}
    for table, key in (("styles_inherited", "style_inherited"), ("styles_own", "style_own")):
        found |= styles[table, row["capture"], row[key]]
    return found


def _visual(row: Row, features: dict[Any, Row], corners: dict[Any, Row]) -> Row:
    key = (row["capture"], row["block"])
    corner = corners.get(key, {})
    return (
        features[key] | row | {"radius": corner.get("radius"), "corners_kind": corner.get("kind")}
    )


def _belongs(scope: str, key: str, row: Row, other: Row) -> bool:  # noqa: PLR0911 - one case each
    if row["capture"] != other["capture"]:
        return False
    if "@page" in (scope, key):
        return True
    number = "node" if scope == "@dom" else "block"
    element = scope != "@dom" or (other.get("nodeType") == 1 and other["pseudo"] is None)
    match key:
        case "@parent":
            return bool(other[number] == row["parent"])
        case "@children":
            return element and bool(other["parent"] == row[number])
        case "@siblings":
            same = other["parent"] == row["parent"] and row["parent"] is not None
            return element and same and bool(other[number] != row[number])
        case "@ancestor":
            return bool(other[number] < row[number] < other["end"])
        case "@descendants":
            return element and bool(row[number] < other[number] < row["end"])
        case "$above" | "$left_of" | "$contains" | "$overlaps":
            return bool(row["block"] != other["block"]) and _layout(key, row, other)
        case "@text" if scope == "@dom":
            return bool(row["node"] <= other["node"] < row["end"])
    shared = "block" if "block" in row and "block" in other else "node"
    return bool(row[shared] == other[shared])


def _layout(key: str, row: Row, other: Row) -> bool:
    left, right = row["x"], row["x"] + row["width"]
    top, bottom = row["y"], row["y"] + row["height"]
    left2, right2 = other["x"], other["x"] + other["width"]
    top2, bottom2 = other["y"], other["y"] + other["height"]
    beside, level = left < right2 and right > left2, top < bottom2 and bottom > top2
    cases = {
        "$above": bottom <= top2 and beside,
        "$left_of": right <= left2 and level,
        "$contains": left <= left2 and top <= top2 and right >= right2 and bottom >= bottom2,
        "$overlaps": beside and level,
    }
    return bool(cases[key])


# --- values --------------------------------------------------------------------------------------


def _said(scope: str, row: Row, name: str, value: Any) -> bool:
    have = row.get(name)
    if value is None:
        return have is None
    if isinstance(value, list):
        return any(_equal(scope, name, have, item) for item in value)
    if isinstance(value, dict):
        return all(_operator(scope, name, have, key, item) for key, item in value.items())
    return _equal(scope, name, have, value)


def _operator(  # noqa: C901, PLR0911 - one case each
    scope: str, name: str, have: Any, key: str, value: Any
) -> bool:
    match key:
        case "$exists":
            return bool((have is not None) == value)
        case "$not":
            return not _said(scope, {name: have}, name, value)
        case "$or":
            return any(_said(scope, {name: have}, name, item) for item in value)
        case "$in":
            return any(_equal(scope, name, have, item) for item in value)
        case "$nin":
            return not any(_equal(scope, name, have, item) for item in value)
        case "$eq":
            return _equal(scope, name, have, value)
        case "$ne":
            return not _equal(scope, name, have, value)
        case "$like":
            return have is not None and _like(have, value)
        case "$regex":
            return have is not None and re.search(value, have, re.ASCII) is not None
        case "$between":
            low, high = value
            return _operator(scope, name, have, "$gte", low) and _operator(
                scope, name, have, "$lte", high
            )
        case "$alpha":
            return have is not None and all(
                _compare(each, _colour(have)[3], n) for each, n in value.items()
            )
        case "$near":
            near = math.dist(_lab(_colour(have)), _lab(_colour(value["colour"])))
            return bool(near <= value["within"])
    number, wanted = _numbers(scope, name, have, value)
    return number is not None and _compare(key, number, wanted)


def _numbers(scope: str, name: str, have: Any, value: Any) -> tuple[Any, Any]:
    """Both sides, as they are compared."""
    if scope == "@styles" and name in _NUMBERS:
        try:
            found = float(have.removesuffix("px"))
        except ValueError:
            return None, None
        wanted = float(value.removesuffix("px")) if isinstance(value, str) else value
        if name == "outline-width":
            return found, wanted
        return float(np.float32(found)), float(np.float32(wanted))
    if name in _FLOATS:
        return have, float(np.float32(value))
    return have, value


def _equal(scope: str, name: str, have: Any, value: Any) -> bool:  # noqa: PLR0911 - one case each
    if value is None:
        return have is None
    if have is None:
        return False
    if scope == "@styles" and name in _COLOURS:
        one, other = _colour(have), _colour(value)
        return one[:3] == other[:3] and bool(np.float32(one[3]) == np.float32(other[3]))
    if scope == "@styles" and name in _NUMBERS and not isinstance(value, str):
        number, wanted = _numbers(scope, name, have, value)
        return number is not None and bool(number == wanted)
    if name == "tagName":
        return have in (value, value.lower())
    if name in _FLOATS and not isinstance(have, str):
        return bool(have == float(np.float32(value)))
    return bool(have == value)


def _compare(operator: str, have: Any, value: Any) -> bool:
    cases = {
        "$eq": have == value,
        "$ne": have != value,
        "$gt": have > value,
        "$gte": have >= value,
        "$lt": have < value,
        "$lte": have <= value,
    }
    return bool(cases[operator])


def _like(have: str, pattern: str) -> bool:
    translated = "".join(
        ".*" if letter == "%" else "." if letter == "_" else re.escape(letter) for letter in pattern
    )
    return re.fullmatch(translated, have, re.DOTALL) is not None


def _colour(text: str) -> tuple[float, ...]:
    if text in _NAMED:
        return _NAMED[text]
    parts = [float(part) for part in re.findall(r"[\d.]+", text)]
    return tuple(parts if len(parts) == 4 else [*parts, 1.0])


def _lab(colour: tuple[float, ...]) -> tuple[float, float, float]:
    """By OpenCV, which has its own way from sRGB to L*a*b*."""
    import cv2

    pixel = np.array([[[part / 255 for part in colour[:3]]]], np.float32)
    lab = cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0]
    return float(lab[0]), float(lab[1]), float(lab[2])
