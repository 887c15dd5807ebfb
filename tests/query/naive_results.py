"""What the results of queries mean, in the plainest Python: loops over the rows that were found."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from hashlib import md5
from typing import Any

import numpy as np

Row = dict[str, Any]
_RESULTS = ("$top", "$cdf", "$histogram", "$group", "$select")  # groups have columns, too


def sampled(rows: list[Row], share: float, seed: str) -> list[Row]:
    """Those of captures whose hash is among the lowest."""
    bound = int(share * 16**8)
    return [
        row
        for row in rows
        if int(md5((seed + row["capture"]).encode()).hexdigest()[:8], 16) < bound
    ]


def result(found: list[Row], everything: list[Row], query: dict[str, Any]) -> list[Row]:
    """The rows of an answer, in the order that the query or its distribution has."""
    kind = next(word for word in _RESULTS if word in query)
    if kind in ("$top", "$cdf"):
        return _distribution(kind, found, everything, query)
    if kind == "$histogram":
        return _histogram(found, query["$histogram"])
    if kind == "$group":
        return _groups(found, query)
    rows = [{name: row.get(name) for name in query["$select"]} for row in found]
    return _ordered(rows, query)


def _distribution(
    kind: str, found: list[Row], everything: list[Row], query: dict[str, Any]
) -> list[Row]:
    name = query[kind]
    counts = Counter(row.get(name) for row in found)
    whole = Counter(row.get(name) for row in everything)
    del counts[None], whole[None]
    compared = bool(query.get("$compare"))
    values: list[Any] = list(whole if compared else counts)
    numeric = all(isinstance(value, (int, float)) for value in values)
    upwards = kind == "$cdf" and numeric
    values.sort(key=lambda value: value if upwards else (-counts[value], value))
    total, all_ = sum(counts.values()), sum(whole.values())
    rows, so_far = [], 0
    for value in values:
        so_far += counts[value]
        row = {"value": value, "count": counts[value], "share": _share(counts[value], total)}
        if kind == "$cdf":
            row["cumulated"] = _share(so_far, total)
        if compared:
            row |= {"count_all": whole[value], "share_all": whole[value] / all_}
        rows.append(row)
    return rows


def _share(part: int, whole: int) -> float | None:
    """Nothing has no parts: DuckDB's 0 / 0 is not a number."""
    return part / whole if whole else math.nan


def _histogram(found: list[Row], options: dict[str, Any]) -> list[Row]:
    values = [float(row[options["of"]]) for row in found if row.get(options["of"]) is not None]
    low, high = options.get("range", (-math.inf, math.inf))
    values = [value for value in values if low <= value <= high]
    if not values:
        return []
    bins = options.get("bins")
    start, width = 0.0, float(options.get("width", 1))
    if bins:
        start = float(low) if "range" in options else min(values)
        end = float(high) if "range" in options else max(values)
        width = (end - start) / bins or 1.0
    steps = Counter(_step(value, start, width, bins) for value in values)
    return [
        {
            "low": start + step * width,
            "high": start + (step + 1) * width,
            "count": count,
            "share": count / len(values),
        }
        for step, count in sorted(steps.items())
    ]


def _step(value: float, start: float, width: float, bins: int | None) -> int:
    step = math.floor((value - start) / width)
    return min(step, bins - 1) if bins else step


def _groups(found: list[Row], query: dict[str, Any]) -> list[Row]:
    (by,) = query["$group"]
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in found:
        groups[row.get(by)].append(row)
    rows = [
        {by: value}
        | {name: _aggregate(rows, *one) for each in query["$select"] for name, one in _named(each)}
        for value, rows in groups.items()
    ]
    return sorted(rows, key=repr)


def _named(item: dict[str, Any]) -> list[tuple[str, tuple[str, Any]]]:
    ((word, of),) = item.items()
    if word == "$count":
        return [("count", (word, of))]
    name = of["of"] if isinstance(of, dict) else of
    return [(f"{word[1:]}_{name}", (word, of))]


def _aggregate(rows: list[Row], word: str, of: Any) -> Any:
    if word == "$count":
        return len(rows)
    name = of["of"] if isinstance(of, dict) else of
    values = [row[name] for row in rows if row.get(name) is not None]
    if not values:
        return None
    match word:
        case "$quantile":
            return float(np.quantile(np.array(values, float), of["q"]))
        case "$avg":
            return sum(values) / len(values)
    functions: dict[str, Any] = {"$sum": sum, "$min": min, "$max": max}
    return functions[word](values)


def _ordered(rows: list[Row], query: dict[str, Any]) -> list[Row]:
    """By one column, downwards or not, missing values last; then by all others."""
    name, downwards = query["$order"][0].lstrip("-"), query["$order"][0].startswith("-")
    rows.sort(key=lambda row: [row[key] for key in query["$order"][1:]])
    there = [row for row in rows if row[name] is not None]
    there.sort(key=lambda row: row[name], reverse=downwards)
    missing = [row for row in rows if row[name] is None]
    return [*there, *missing][: query["$limit"]]


def heat(
    found: list[Row], sizes: dict[str, tuple[float, float]], columns: int, rows: int
) -> list[Row]:
    """How many boxes cover each cell of the grid on their pages."""
    counts: Counter[tuple[int, int]] = Counter()
    shown = 0
    for row in found:
        if None in (row["x"], row["y"]) or None in sizes[row["capture"]]:
            continue
        across = _covered(row["x"], row["width"], columns, sizes[row["capture"]][0])
        down = _covered(row["y"], row["height"], rows, sizes[row["capture"]][1])
        shown += bool(across and down)
        counts.update((c, r) for c in across for r in down)
    return [
        {"column": c, "row": r, "count": counts[c, r], "share": counts[c, r] / max(1, shown)}
        for r in range(rows)
        for c in range(columns)
    ]


def _covered(start: float, extent: float, cells: int, whole: float) -> list[int]:
    size = whole / cells
    return [
        cell
        for cell in range(cells)
        if extent > 0 and start < (cell + 1) * size and start + extent > cell * size
    ]
