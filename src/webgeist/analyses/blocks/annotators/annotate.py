"""All annotations of a page: which nodes are numbers, next links, page words, pagers …

A clickable element is told by its own text, its pictures, its title and label, its class names and
those of what holds it. Other texts are told by themselves. What lies inside a clickable element
speaks for that element, never for itself: so no node is near to a part of itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.annotators.arrows import arrow, arrow_beside
from webgeist.analyses.blocks.annotators.forms import form_notes
from webgeist.analyses.blocks.annotators.names import name_kinds
from webgeist.analyses.blocks.annotators.numbers import numbers
from webgeist.analyses.blocks.annotators.plugins import other_annotators
from webgeist.analyses.blocks.annotators.words import (
    LONGEST,
    Lexicon,
    apart,
    fold,
    read_gazetteer,
    shipped,
)

if TYPE_CHECKING:
    from webgeist.analyses.blocks.elements import Elements

Value = str | float
Row = tuple[int, str, Value]  # node, type, value

_DIRECTIONS = frozenset({"NEXT", "PREVIOUS", "OLDER", "NEWER"})
LINK_KINDS = ("NEXT", "PREVIOUS", "FIRST", "LAST")
_HOLDERS = 4  # how far above an element class names are looked at
_NAMED = ("class", "id", "rel", "data-role", "data-testid", "itemprop", "data-icon", "name")


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The gazetteers that come with webgeist."""
    return Lexicon(
        read_gazetteer(kind, text, file)
        for kind, text, file in shipped("gazetteers")
        if kind != "NUMBER"
    )


@dataclass(frozen=True)
class Annotations:
    """By node: the types that it has, each with its values."""

    of: dict[int, dict[str, list[Value]]]

    def rows(self, kind: str | None = None) -> list[Row]:
        if kind is not None:
            return self._by_kind.get(kind, [])
        return [row for rows in self._by_kind.values() for row in rows]

    @cached_property
    def _by_kind(self) -> dict[str, list[Row]]:
        found: dict[str, list[Row]] = {}
        for node, types in self.of.items():
            for name, values in types.items():
                found.setdefault(name, []).extend([(node, name, value) for value in values])
        return found


def annotate(elements: Elements, words: Lexicon | None = None) -> Annotations:
    """What every clickable element and every other text of a page is."""
    words = words or lexicon()
    found: dict[int, dict[str, list[Value]]] = {}
    for node in elements.clickable:
        notes = _of_clickable(elements, node, words)
        if notes:
            found[node] = notes
    for node, text in elements.other_texts.items():
        notes = _of_text(text, words)
        if notes:
            found[node] = notes
    for annotator in (form_notes, *other_annotators()):
        for node, kind, value in annotator(elements):
            found.setdefault(node, {}).setdefault(kind, []).append(value)
    return Annotations(found)


def _of_text(text: str, words: Lexicon) -> dict[str, list[Value]]:
    return {kind: list(values) for kind, values in _text_notes(text, words)}


@lru_cache(maxsize=50_000)
def _text_notes(text: str, words: Lexicon) -> tuple[tuple[str, tuple[Value, ...]], ...]:
    """What a text says by itself; the same for every node that has it."""
    notes: dict[str, list[Value]] = {}
    if len(text) > LONGEST:
        return ()
    for number in numbers(text):
        notes.setdefault("NUMBER", []).append(number.value)
        notes.setdefault("NUMBER_FORM", []).append(number.form)
        if number.last is not None:
            notes.setdefault("RANGE_END", []).append(number.last)
    if mark := arrow(text):
        notes.setdefault("ELLIPSIS" if mark == "…" else "ARROW", []).append(mark)
    elif beside := arrow_beside(text):
        notes.setdefault("ARROW_BESIDE", []).append(beside)
    _note_words(text, words, notes)
    if "NUMBER" not in notes and ("PAGE" in notes or "RESULTS" in notes):
        digits = [word for word in apart(text.replace("/", " ")) if word.isdigit()]
        if len(digits) > 1:  # "Page 2 of 9" says where one is
            notes["POSITION"] = [int(digits[0])] if len(digits[0]) < 7 else []
        elif digits and len(digits[0]) < 7:
            notes["NUMBER_INSIDE"] = [int(digits[0])]
    if {"PAGE", "RESULTS", "NEXT", "PREVIOUS", "FIRST", "LAST"} & notes.keys() or mark:
        notes["PAGINATION"] = [text[:LONGEST]]
    return tuple((kind, tuple(values)) for kind, values in notes.items())


def _note_words(text: str, words: Lexicon, notes: dict[str, list[Value]]) -> None:
    for kind, phrase, whole in words.find(text):
        notes.setdefault(kind, []).append(phrase)
        if whole:
            notes.setdefault(f"{kind}_ONLY", []).append(phrase)
        elif kind in _DIRECTIONS and _is_amid(fold(text), phrase):
            notes.setdefault(f"{kind}_AMID", []).append(phrase)


def _is_amid(text: str, phrase: str) -> bool:
    """Among other words, as in "the calm before the storm": it need not say where a link leads."""
    return not (text.startswith(phrase) or text.endswith(phrase))


def _of_clickable(elements: Elements, node: int, words: Lexicon) -> dict[str, list[Value]]:
    text = elements.text(node)
    notes = _of_text(text, words)
    said = [elements.attribute(node, name) for name in ("title", "aria-label", "value")]
    inside = elements.inside(node)
    said += inside.labels
    if (wrapper := elements.wrapper(node)) is not None:
        said += [elements.attribute(wrapper, name) for name in ("title", "aria-label")]
        for kind in elements.name_kinds(wrapper):
            notes.setdefault(f"OWN_{kind}", []).append(wrapper)
    for label in said:
        if label and label != text:
            for kind, values in _text_notes(label.strip(), words):
                if kind == "NUMBER" and kind in notes:
                    continue
                notes.setdefault(f"LABEL_{kind}", []).extend(values)
    _note_names(elements, node, inside.names, notes)
    if inside.pictures and not text:
        notes["PICTURE"] = [inside.pictures]
    return notes


def _note_names(
    elements: Elements, node: int, inside: tuple[str, ...], notes: dict[str, list[Value]]
) -> None:
    own = elements.name_text(node, _NAMED)
    for kind in name_kinds(own) if own else ():
        notes[f"OWN_{kind}"] = [own]
    for name in inside:
        for kind in name_kinds(name):
            notes.setdefault(f"OWN_{kind}", []).append(name)
    for distance, holder in enumerate(elements.above(node, _HOLDERS), 1):
        for kind in elements.name_kinds(holder):
            notes.setdefault(f"HELD_{kind}", []).append(distance)
    rel = elements.attribute(node, "rel")
    if rel:
        notes["REL"] = list(rel.lower().split())
    current = elements.attribute(node, "aria-current")
    if current and current.lower() != "false":
        notes["ARIA_CURRENT"] = [current]
    if elements.is_disabled(node):
        notes["DISABLED"] = [1]
