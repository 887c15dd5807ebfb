"""Looks at keys: do they take two things for one, miss parts, or never meet anything again?

After the debugging idea of Skip Blocks (section 5): two rows whose keys agree and whose other
columns differ are shown to somebody who knows the data. All functions here are pure.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from webgeist.scrape.rows import is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_DIFFERENT = 0.5  # of the other columns
_MOST_PAIRS = 20
_MOST_CANDIDATES = 10
_LARGEST_KEY = 3
_LONG_TEXT = 200
_GOOD = 0.95
_REPEATED = 0.2


@dataclass(frozen=True)
class Pair:
    """Two rows that a key takes for one, although most of their other columns differ."""

    key: list[Any]
    one: dict[str, Any]
    other: dict[str, Any]
    differing: list[str]


@dataclass(frozen=True)
class Suggestion:
    """Columns that tell rows apart: `distinct` is the share of rows with a key of their own,
    `stable` the share of keys that a later run met again (None after one run).
    """

    columns: list[str]
    distinct: float
    stable: float | None


@dataclass(frozen=True)
class BlockReport:
    """What the records of one block's name say."""

    block: str
    keys: int
    records: int
    missing: list[str]  # keys of which a part is missing, as they are written
    never_repeats: bool
    pairs: list[Pair]


def pairs(rows: Iterable[tuple[list[Any], Mapping[str, Any]]]) -> list[Pair]:
    """Rows with the same key that differ in most other columns: each key's worst pair, worst first.

    A column with a value that is also in the key counts as part of it.
    """
    groups: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    keys: dict[str, list[Any]] = {}
    for key, row in rows:
        text = json.dumps(key, sort_keys=True)
        keys[text] = key
        if row not in groups[text]:
            groups[text].append(row)
    found = []
    for text, same in groups.items():
        made = [_pair(keys[text], same[0], other) for other in same[1:]]
        found += [max((each for each in made if each), key=_badness, default=None)]
    return sorted(filter(None, found), key=_badness, reverse=True)[:_MOST_PAIRS]


def _badness(pair: Pair) -> int:
    return len(pair.differing)


def _pair(key: list[Any], one: Mapping[str, Any], other: Mapping[str, Any]) -> Pair | None:
    inside = {json.dumps(part) for part in key}
    names = [
        name
        for name in one
        if name in other and json.dumps(one[name]) not in inside and not is_missing(one[name])
    ]
    differing = [name for name in names if one[name] != other[name]]
    if len(differing) <= _DIFFERENT * len(names):
        return None
    return Pair(key, dict(one), dict(other), differing)


def missing_parts(parts: Iterable[str]) -> list[str]:
    """The written keys in which an attribute is empty or nothing at all."""
    return [text for text in parts if any(is_missing(part) for part in json.loads(text)["key"])]


def never_repeats(runs: Sequence[tuple[int, int]]) -> bool:
    """Whether no run after the first has skipped one block; runs are (entered, skipped)."""
    met = [each for each in runs if each[0]]
    return len(met) > 1 and not any(skipped for _, skipped in met[1:])


def suggest(rows: Sequence[Mapping[str, Any]], runs: Sequence[int]) -> list[Suggestion]:
    """Sets of columns that could be the key of a table, best first; `runs` has each row's run.

    A good key tells all different rows apart, is met again by the next run, and is short.
    """
    if not rows:
        return []
    names = _candidates(rows)
    different = _by_run([_written(row, sorted(row)) for row in rows], runs)
    found: list[Suggestion] = []
    for size in range(1, _LARGEST_KEY + 1):
        for columns in combinations(names, size):
            if any(set(each.columns) <= set(columns) and each.distinct >= 1 for each in found):
                continue  # more of a key that is enough
            keys = [_written(row, columns) for row in rows]
            groups = _by_run(keys, runs)
            found.append(Suggestion(list(columns), _share(groups, different), _stability(groups)))
    if not any(each.distinct > _GOOD and (each.stable or 0) > _REPEATED for each in found):
        # later runs put out new things alone: that says nothing about what they met again
        found = [replace(each, stable=None) for each in found]
    return sorted(found, key=lambda each: _goodness(each, names), reverse=True)[:5]


def _goodness(each: Suggestion, names: list[str]) -> tuple[float, float, int, float]:
    steady = 1.0 if each.stable is None else each.stable
    place = -sum(names.index(name) for name in each.columns) / len(names)
    return round(each.distinct * steady, 2), steady, -len(each.columns), place


def _candidates(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Columns that are nearly always there; texts before numbers, short before long."""
    there = Counter(name for row in rows for name, value in row.items() if not is_missing(value))
    full = [name for name, count in there.items() if count >= 0.95 * len(rows)]
    return sorted(full, key=lambda name: _suitability([row.get(name) for row in rows]))[
        :_MOST_CANDIDATES
    ]


def _suitability(values: list[Any]) -> tuple[int, float]:
    texts = [value for value in values if isinstance(value, str)]
    if len(texts) * 2 < len(values):
        whole = all(isinstance(value, int) for value in values)
        return (2 if whole else 3), 0.0
    average = sum(map(len, texts)) / len(texts)
    return (1 if average > _LONG_TEXT else 0), 0.0


def _written(row: Mapping[str, Any], columns: Iterable[str]) -> str:
    return json.dumps([row.get(name) for name in columns], sort_keys=True)


def _by_run(keys: list[str], runs: Sequence[int]) -> list[set[str]]:
    """The different keys of each run."""
    found: dict[int, set[str]] = defaultdict(set)
    for key, run in zip(keys, runs, strict=True):
        found[run].add(key)
    return [found[run] for run in sorted(found)]


def _share(keys: list[set[str]], rows: list[set[str]]) -> float:
    """How many of the different rows of a run have a key of their own."""
    return min(1.0, sum(map(len, keys)) / sum(map(len, rows)))


def _stability(ordered: list[set[str]]) -> float | None:
    """The share of a run's keys that the next one met, over all pairs of runs."""
    shares = [len(one & other) / min(len(one), len(other)) for one, other in pairwise(ordered)]
    return sum(shares) / len(shares) if shares else None
