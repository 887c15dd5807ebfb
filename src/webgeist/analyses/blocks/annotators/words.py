"""Gazetteers: lists of phrases, and which of them a short text is or holds."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from importlib.resources.abc import Traversable

LONGEST = 60  # characters of a text that is looked at: links of pagers are short
MOST_WORDS = 7
_SPLIT = re.compile(r"[^\w']+")
_BORDER = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
_IDEOGRAPHS = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
_LONGEST_IDEOGRAPHS = 14
_SAID_TWICE = frozenset({"NEXT", "PREVIOUS"})  # "Next page Next": once for those who hear


@dataclass(frozen=True)
class Gazetteer:
    """Phrases of one kind, by what they are when folded; with the languages that have them."""

    kind: str
    phrases: Mapping[str, tuple[str, ...]]

    @property
    def languages(self) -> set[str]:
        return {language for several in self.phrases.values() for language in several}


def fold(text: str) -> str:
    """The words of a text in small letters, without arrows, points and brackets."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    if plain.isascii():
        return " ".join(_SPLIT.sub(" ", plain).split())
    return " ".join("".join(c if _is_of_word(c) else " " for c in plain).split())


def _is_of_word(character: str) -> bool:
    """Letters, digits, and the marks that belong to letters, as the vowels of Hindi and Thai."""
    return character.isalnum() or character in "_'" or unicodedata.category(character)[0] == "M"


def apart(text: str) -> list[str]:
    """Words and numbers, also where nothing stands between them: `Page2` is two."""
    return _BORDER.sub(" ", text).split()


def read_gazetteer(kind: str, text: str, file: str) -> Gazetteer:
    """Lines of `language: phrase, phrase`; % begins a comment. UsageError where one is not."""
    phrases: dict[str, list[str]] = {}
    for language, several in _lines(text, file):
        for phrase in several:
            if folded := fold(phrase):
                phrases.setdefault(folded, []).append(language)
    return Gazetteer(kind, {phrase: tuple(those) for phrase, those in phrases.items()})


def number_words(text: str, file: str) -> dict[str, int]:
    """Lines as of a gazetteer, the words of each in order from one."""
    return {
        fold(word): number
        for _, several in _lines(text, file)
        for number, word in enumerate(several, 1)
    }


def _lines(text: str, file: str) -> Iterator[tuple[str, list[str]]]:
    for number, line in enumerate(text.splitlines(), 1):
        plain = line.partition("%")[0].strip()
        if not plain:
            continue
        language, colon, rest = plain.partition(":")
        if not colon or not language.strip().replace("-", "").isalnum():
            raise UsageError(f"{file}:{number}: expected `language: phrase, phrase`")
        yield language.strip(), [phrase.strip() for phrase in rest.split(",") if phrase.strip()]


class Lexicon:
    """Several gazetteers, asked at once. Answers are remembered: pages repeat themselves."""

    def __init__(self, gazetteers: Iterable[Gazetteer]) -> None:
        self.gazetteers = tuple(gazetteers)
        self._kinds: dict[str, set[str]] = {}
        for gazetteer in self.gazetteers:
            for phrase in gazetteer.phrases:
                self._kinds.setdefault(phrase, set()).add(gazetteer.kind)
        self._longest = max((len(phrase.split()) for phrase in self._kinds), default=1)
        self._unspaced = [phrase for phrase in self._kinds if _IDEOGRAPHS.search(phrase)]
        self.find = lru_cache(maxsize=50_000)(self._find)

    def _find(self, text: str) -> tuple[tuple[str, str, bool], ...]:
        """(kind, phrase, whole) for each phrase in a short text; `whole` where it is nothing else
        but digits.
        """
        if len(text) > LONGEST:
            return ()
        folded = fold(text)
        words = [word for word in apart(folded) if not word.isdigit()]
        if not words or len(words) > MOST_WORDS:
            return ()
        found = {}
        covered: dict[str, set[int]] = {}
        for start in range(len(words)):
            for stop in range(start + 1, min(len(words), start + self._longest) + 1):
                phrase = " ".join(words[start:stop])
                for kind in self._kinds.get(phrase, ()):
                    found[kind, phrase] = stop - start == len(words)
                    covered.setdefault(kind, set()).update(range(start, stop))
        for kind, phrase in found:
            if kind in _SAID_TWICE and len(covered[kind]) == len(words):
                found[kind, phrase] = True
        if _IDEOGRAPHS.search(folded) and len(folded) <= _LONGEST_IDEOGRAPHS:
            self._inside(folded, found)
        return tuple((kind, phrase, whole) for (kind, phrase), whole in found.items())

    def _inside(self, folded: str, found: dict[tuple[str, str], bool]) -> None:
        """Scripts without spaces: a phrase may stand anywhere."""
        bare = re.sub(r"[\d\s]+", "", folded)
        for phrase in self._unspaced:
            if phrase in bare:
                for kind in self._kinds[phrase]:
                    found.setdefault((kind, phrase), phrase == bare)


def shipped(folder: str) -> Iterator[tuple[str, str, str]]:
    """(kind, text, file) of the lists that come with webgeist."""
    entries: Iterable[Traversable] = (files(__package__) / folder).iterdir()
    for entry in sorted(entries, key=lambda each: each.name):
        if entry.name.endswith(".txt"):
            yield entry.name[:-4], entry.read_text("utf-8"), f"{folder}/{entry.name}"
