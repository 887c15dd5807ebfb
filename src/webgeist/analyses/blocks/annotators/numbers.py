"""Numbers in all scripts and forms that pagers use. What has two readings is given both."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.annotators.words import fold, number_words, shipped

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST = 24  # characters of a text that is nothing but a number or a range
_LARGEST = 10**12
_EDGES = " \t\n\r\xa0[](){}<>«»‹›|:;.,·•-–—_~*\"'\u200e\u200f【】（）「」"
_RANGE = re.compile(
    r"(\d[\d.,]*)\s*(?:-|–|—|~|…|\.\.\.?|to|bis|à|até|al?|-й?|から|至|到)\s*(\d[\d.,]*)"
)
_GROUPED = re.compile(r"\d{1,3}(?:[.,'\u00a0 ]\d{3})+")
_DECIMAL = re.compile(r"\d+[.,]\d+")
_THOUSANDS = re.compile(r"(\d+(?:[.,]\d)?)\s?([km])", re.IGNORECASE)
_ORDINAL = re.compile(
    r"(\d+)\s?(?:st|nd|rd|th|e|er|ère|ème|º|ª|o|a|-я|-й|\.|番目?|号)", re.IGNORECASE
)
_CJK_ORDINAL = re.compile(r"第\s?([\d一二三四五六七八九十百]+)\s?(?:页|頁|ページ|章|回)?")
_PAGE_OF = re.compile(r"(\d+)\s?(?:/|of|von|de|sur|из|di|van|av|z)\s?(\d+)", re.IGNORECASE)
_ROMAN = re.compile(r"(?=[IVX])(X{0,3})(IX|IV|V?I{0,3})")
_CJK = {c: n for n, c in enumerate("〇一二三四五六七八九")} | {"零": 0, "十": 10, "百": 100}


@dataclass(frozen=True)
class Number:
    """A reading of a text. `last` is the end of a range; `form` says how it is written."""

    value: float
    form: str
    last: float | None = None


@lru_cache(maxsize=50_000)
def numbers(text: str) -> tuple[Number, ...]:
    """All readings of a text that is a number and nothing else; none where it is not."""
    if len(text) > 3 * _LONGEST:
        return ()
    plain = _western(text).strip(_EDGES)
    if not plain or len(plain) > _LONGEST:
        return ()
    found = dict.fromkeys(n for n in _readings(plain) if abs(n.value) < _LARGEST)
    return tuple(found)


def _western(text: str) -> str:
    """The text with the digits of all scripts as 0-9, and signs such as ③ taken apart."""
    if text.isascii():
        return text
    return "".join(_digit(character) for character in text)


def _digit(character: str) -> str:
    if character.isascii():
        return character
    value = unicodedata.digit(character, None)
    if value is not None:
        return str(value)
    number = unicodedata.numeric(character, None)
    if number is not None and number == int(number) and character not in _CJK:
        return str(int(number))
    return character


def _readings(text: str) -> Iterator[Number]:  # noqa: C901 - a list of forms
    if text.isdigit() and text.isascii():
        yield Number(int(text), "digits")
        return
    if text.isascii() and not any(c.isdigit() for c in text):
        yield from _words(text)
        return
    if found := _RANGE.fullmatch(text):
        yield Number(_plain(found[1]), "range", _plain(found[2]))
    if found := _PAGE_OF.fullmatch(text):
        yield Number(int(found[1]), "of", int(found[2]))
    if _GROUPED.fullmatch(text):
        yield Number(_plain(text), "grouped")
    if _DECIMAL.fullmatch(text):
        yield Number(float(text.replace(",", ".")), "decimal")
    if found := _THOUSANDS.fullmatch(text):
        factor = 1_000 if found[2].lower() == "k" else 1_000_000
        yield Number(float(found[1].replace(",", ".")) * factor, "short")
    if found := _ORDINAL.fullmatch(text):
        yield Number(int(found[1]), "ordinal")
    if found := _CJK_ORDINAL.fullmatch(text):
        yield Number(int(found[1]) if found[1].isdigit() else _cjk(found[1]), "ordinal")
    if all(c in _CJK for c in text):
        yield Number(_cjk(text), "cjk")
    yield from _words(text)


def _words(text: str) -> Iterator[Number]:
    if (found := _number_words().get(fold(text))) is not None:
        yield Number(found, "word")
    upper = text.upper()
    if len(text) > 1 and text in {upper, text.lower()} and _ROMAN.fullmatch(upper):
        yield Number(_roman(upper), "roman")


def _plain(text: str) -> int:
    return int(re.sub(r"\D", "", text) or 0)


def _cjk(text: str) -> int:
    """Up to 999: 二十三 is 2 tens and 3."""
    total = digit = 0
    for character in text:
        value = int(character) if character.isdigit() else _CJK[character]
        if value >= 10:
            total += (digit or 1) * value
            digit = 0
        else:
            digit = digit * 10 + value if digit else value
    return total + digit


def _roman(text: str) -> int:
    values = [{"I": 1, "V": 5, "X": 10}[character] for character in text]
    return sum(-v if n + 1 < len(values) and values[n + 1] > v else v for n, v in enumerate(values))


@lru_cache(maxsize=1)
def _number_words() -> dict[str, int]:
    for kind, text, file in shipped("gazetteers"):
        if kind == "NUMBER":
            return number_words(text, file)
    return {}
