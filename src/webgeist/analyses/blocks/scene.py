"""From facts and classes to links, ready for the check of the sequence."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np

from webgeist.analyses.blocks.link import NONE, Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from webgeist.analyses.blocks.annotators.annotate import Value
    from webgeist.analyses.blocks.facts import Facts
    from webgeist.analyses.blocks.series import Series


_ARROWS = {
    "next": (("next", 2.5),),
    "previous": (("previous", 2.5),),
    "next-double": (("last", 1.5), ("next", 1.0)),
    "previous-double": (("first", 1.5), ("previous", 1.0)),
}
_RELS = {
    "next": "next",
    "prev": "previous",
    "previous": "previous",
    "first": "first",
    "last": "last",
}
_LEADING = frozenset(
    prefix + kind
    for prefix in ("", "LABEL_")
    for kind in ("NEXT", "PREVIOUS", "OLDER", "NEWER", "REL")
)  # of what it is asked where it leads
_TELLING = _LEADING | {"MORE", "LABEL_MORE"}
_MIRRORED = {"next": "previous", "previous": "next", "first": "last", "last": "first"}


def scene(
    facts: Facts, classes: Mapping[int, tuple[str, float]], *, silent: bool = True
) -> list[Link]:
    """A link for every clickable element, in document order; `classes` has the label and score of
    those that were classified. Without the `silent` ones: those that were not classified, of which
    no word or address says that they lead on, so that no check can make them a page.
    """
    singles = _single_arrows(facts)
    said = classes.keys() | {node for node, each in facts.series.of.items() if each.near}
    said |= {node for node, notes in facts.annotations.of.items() if not _TELLING.isdisjoint(notes)}
    return [
        _link(facts, node, *classes.get(node, (NONE, 0.0)), singles)
        for node in facts.elements.clickable
        if silent or node in said
    ]


def _link(facts: Facts, node: int, label: str, score: float, singles: set[tuple[int, str]]) -> Link:
    notes = facts.annotations.of.get(node, {})
    names = frozenset(notes)
    run = facts.runs.place.get(node)
    series = facts.series.of.get(node)
    return Link(
        node=node,
        text=facts.elements.text(node),
        target=_target(facts, node),
        label=label,
        score=score,
        notes=names,
        number=_number(facts, node, names),
        run=run[0] if run else None,
        place=run[1] if run else 0,
        path=_path(facts.url, facts.elements.targets.get(node, "")) if _LEADING & names else "",
        scripted=_is_scripted(facts.leads.get(node, "")),
        current=_is_current(facts, node, names),
        signs=tuple(_signs(facts, notes, run, singles)),
        **({} if series is None else _in_series(series, node)),
    )


def _in_series(series: Series, node: int) -> dict[str, Any]:
    return {
        "frame": series.frame,
        "word": series.word,
        "page": series.page(node),
        "step": series.step(node),
        "near": series.near,
        "agrees": node in series.agreeing,
        "page_word": series.names_pages,
        "numbered": bool(series.agreeing),
        "scale": series.scale,
    }


def _target(facts: Facts, node: int) -> str | None:
    target = facts.elements.targets.get(node)
    if target is None or not target.startswith(("http", "file")) or node in facts.series.same:
        return None
    if facts.leads.get(node, "").startswith("script:"):
        return None  # "#", and a script that knows better
    return target.partition("#")[0]


def _path(here: str, target: str) -> str:
    """How the path of an address lies to this page's: `same` with another query; `near` where one
    goes on where the other ends, numbers aside, as lists and their pages do; or `other`.
    """
    if not target.startswith(("http", "file")):
        return ""
    mine, its = _place(here), _place(target)
    if mine == its:
        return "same" if "?" in target else "near"
    if mine[0] != its[0]:
        return "other"
    short, long = sorted((mine[1], its[1]), key=len)
    if long.startswith(f"{short}/"):
        return "near"
    goes_on = _letters(long).startswith(_letters(short))
    return "near" if goes_on and _digits(long) != _digits(short) else "other"


@lru_cache(maxsize=10_000)
def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/")


def _digits(path: str) -> str:
    return "".join(filter(str.isdigit, path))


def _letters(path: str) -> str:
    return "".join(filter(str.isalpha, re.sub(r"\.\w{1,5}$", "", unquote(path)).lower()))


def _number(facts: Facts, node: int, names: frozenset[str]) -> float | None:
    said = {"NUMBER", "NUMBER_INSIDE"} & names
    if not said and ("LABEL_NUMBER" not in names or facts.elements.text(node)):
        return None
    numbers = facts.numbers.get(node, [])
    return numbers[0] if numbers else None


def _single_arrows(facts: Facts) -> set[tuple[int, str]]:
    """The runs that have a single arrow in a direction: there, a double one means first or last."""
    return {
        (run, str(value))
        for node, (run, _) in facts.runs.place.items()
        for kind in ("ARROW", "LABEL_ARROW")
        for value in facts.annotations.of.get(node, {}).get(kind, ())
    }


def _signs(
    facts: Facts,
    notes: Mapping[str, Sequence[Value]],
    run: tuple[int, int] | None,
    singles: set[tuple[int, str]],
) -> Iterator[tuple[str, float]]:
    for value in (*notes.get("ARROW", ()), *notes.get("LABEL_ARROW", ())):
        single = str(value).partition("-")[0]
        has_single = run is not None and (run[0], single) in singles
        for label, weight in _ARROWS.get(str(value) if has_single else single, ()):
            yield _MIRRORED[label] if facts.right_to_left else label, weight
    for value in notes.get("ARROW_BESIDE", ()):
        yield _MIRRORED[str(value)] if facts.right_to_left else str(value), 0.7
    for value in notes.get("REL", ()):
        if value in _RELS:
            yield _RELS[str(value)], 3.0


def _is_scripted(leads: str) -> bool:
    plain = leads.replace("void(0)", "")
    return plain.startswith("script:") and any(c.isdigit() for c in plain)


def _is_current(facts: Facts, node: int, notes: frozenset[str]) -> bool:
    """The page itself (unless a script makes more of it), or what cannot be clicked now."""
    if "DISABLED" in notes or "ARIA_CURRENT" in notes or node in facts.inert:
        return True
    leads = facts.leads.get(node, "")
    if not leads.startswith("http") and np.isnan(facts.page.boxes[node, 0]):
        return True  # a button that is not shown
    if node in facts.series.same and not leads.startswith("script:"):
        return True
    if leads.startswith("http") or "NUMBER" not in notes:
        return False
    idle = not any(c.isdigit() for c in leads) and len(leads) < 30
    return "OWN_CURRENT" in notes or (idle and "HELD_CURRENT" in notes)
