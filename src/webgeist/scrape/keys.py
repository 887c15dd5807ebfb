"""What makes two objects the same: the key of a skip block, in one written form.

A key is the block's attributes and the keys of the ancestors that it names (Skip Blocks, section 4,
"COMBINEVECTORS"). Attributes are JSON values, normalised so that what a page shows the same way is
the same: texts in Unicode's NFC form with white space folded to single blanks, whole numbers
without a fraction (3.0 is 3), objects by sorted names, tuples as lists, dates and times in ISO
8601. Case counts, and the text "3" is not the number 3.
"""

from __future__ import annotations

import hashlib
import json
import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, time
from typing import TYPE_CHECKING

from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

_LONGEST_NAME = 200
_DEEPEST = 50
_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Key:
    """`parts` is the written form for people, `digest` what the log looks for."""

    block: str
    parts: str
    digest: bytes


def make_key(block: str, attributes: Iterable[object], ancestors: Iterable[Key] = ()) -> Key:
    """The key of a block. UsageError where an attribute cannot be one.

    The order of the ancestors does not matter, that of the attributes does.
    """
    own = [normalised(each) for each in attributes]
    above = {each.block: json.loads(each.parts) for each in ancestors}
    parts = _written({"key": own, "within": above} if above else {"key": own})
    return Key(block, parts, hashlib.sha256(parts.encode()).digest()[:16])


def check_name(what: str, name: object) -> str:
    """The name, if it can be one: a text that people can read and tell apart."""
    if not isinstance(name, str):
        raise UsageError(f"the name of a {what} is a text, not {name!r}", remedy='as in "Author"')
    if not name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"{name!r:.60} cannot be the name of a {what}",
            remedy=f"one to {_LONGEST_NAME} characters that can be seen",
        )
    return name


def normalised(value: object) -> Json:
    """A value as the key has it. UsageError for what JSON cannot say."""
    return _normalised(value, 0)


def _normalised(value: object, depth: int) -> Json:
    if depth > _DEEPEST:
        raise _refused(value, "it is nested too deeply, or holds itself")
    match value:
        case None | bool() | int():
            return value
        case str():
            return _text(value)
        case float():
            return _number(value)
        case date() | time():  # a datetime is a date
            return value.isoformat()
        case Mapping():
            return {_name(name): _normalised(each, depth + 1) for name, each in value.items()}
        case list() | tuple():
            return [_normalised(each, depth + 1) for each in value]
        case _:
            raise _refused(value, f"a {type(value).__name__} is no JSON value")


def _text(value: str) -> str:
    text = " ".join(unicodedata.normalize("NFC", value).split())
    if not text.isprintable() and any("\ud800" <= each <= "\udfff" for each in text):
        raise _refused(value, "it has half a character (a lone surrogate)")
    return text


def _number(value: float) -> float:
    if not math.isfinite(value):
        raise _refused(value, "it is not a number that equals itself, or has no end")
    return int(value) if value.is_integer() else value


def _name(name: object) -> str:
    if not isinstance(name, str):
        raise _refused(name, "the names in an object are texts")
    return _text(name)


def _written(value: Json) -> str:
    return _ENCODER.encode(value)


def _refused(value: object, why: str) -> UsageError:
    return UsageError(
        f"{value!r:.80} cannot be part of a key: {why}",
        remedy="give texts, numbers, true or false, None, or lists and dictionaries of them",
    )
