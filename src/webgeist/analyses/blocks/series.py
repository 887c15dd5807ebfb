"""Arithmetic with addresses: links that differ in one number, and how far each is from this page.

`/list?page=2`, `/list?page=3` and a page at `/list` are one *series*. A series says of each link
which page of the list it leads to: where numbers stand in the links' texts, by what turns those
into the numbers of the addresses (page = start / 20 + 1); else by the smallest step.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

_NUMBER = re.compile(r"\d{1,9}")
_PAGE_WORDS = re.compile(
    r"(?:^|[^a-z])(?:page|pages|pg|p|paged|pagenum|pageno|pagenumber|pageid|pagina|seite|strona|"
    r"sayfa|start|offset|from|skip|startat|startindex|first|begin|stranka|sivu|side|sida|oldal|"
    r"trang|halaman|pn|pageindex|currentpage|curpage|cp|ppage|s|st|b|o|n|index|fpage|paging|"
    r"currentpageno|pagenr|pno|result|results|limitstart|batch|ipage|np|folio)$",
    re.IGNORECASE,
)
_STRONG_WORDS = re.compile(
    r"page|pagina|seite|strona|sayfa|offset|start|stranka|paged|^pg?$", re.IGNORECASE
)
_OFFSETS = frozenset(range(10, 101))  # things on a page
_DATE = re.compile(r"(?:19|20)\d\d[/-](?:\d\d?[/-])?$")
_MOST_PAGES = 5_000  # an unsaid number above this counts something else
_MOST_PAIRS = 400  # of texts and addresses that a line is put through
_SECOND = 2  # pages before the second have no first page to go back to
_ONE = (1, 0)  # what a link to the first page may say, where it says a number
_MOST_SLOTS = 8  # numbers of one address that are tried


@dataclass(frozen=True)
class Slot:
    """A number in an address: the address with a hole, the number, and the word before it."""

    frame: str
    value: int
    word: str


@dataclass(frozen=True)
class Series:
    """Links whose addresses differ in one number."""

    frame: str
    word: str
    values: Mapping[int, int]  # link → number
    scale: float = 1
    shift: float = 0
    agreeing: frozenset[int] = frozenset()  # links whose text says what the address says
    here: int | None = None  # the number of this page's own address
    near: bool = False  # this page's address is of the series

    def page(self, link: int) -> float:
        """Which page a link leads to."""
        return (self.values[link] - self.shift) / self.scale

    @property
    def here_page(self) -> float | None:
        return None if self.here is None else (self.here - self.shift) / self.scale

    @cached_property
    def size(self) -> int:
        """How many different pages it has."""
        return len(set(self.values.values()))

    @cached_property
    def names_pages(self) -> bool:
        return bool(_STRONG_WORDS.search(self.word)) and not self._numbers_things

    @property
    def _numbers_things(self) -> bool:
        """Numbers that are too large for pages, and that no text says: `?p=128290` is a post."""
        here = self.here or 0
        return not self.agreeing and min(self.values.values()) > _MOST_PAGES > here

    def step(self, link: int) -> float | None:
        """How many pages a link is away from this one."""
        here = self.here_page
        return None if here is None else self.page(link) - here


@dataclass(frozen=True)
class SeriesOfPage:
    """The best series of each link, and links to the page itself."""

    of: Mapping[int, Series] = field(default_factory=dict)
    same: frozenset[int] = frozenset()


def find_series(
    targets: Mapping[int, str], numbers: Mapping[int, Sequence[float]], here: str
) -> SeriesOfPage:
    """`targets` are addresses or scripts by link, `numbers` what their texts say, `here` the page's
    own address.
    """
    mine = _key(here)
    same = frozenset(link for link, url in targets.items() if _key(url) == mine)
    slots = {link: _slots(url) for link, url in targets.items()}
    own = {slot.frame: slot for slot in _slots(here)}
    alike = {_stem(slot): slot for slot in reversed(_slots(here)) if _PAGE_WORDS.search(slot.word)}
    framed: dict[str, dict[int, int]] = {}
    words: dict[str, str] = {}
    for link, several in slots.items():
        for slot in several:
            framed.setdefault(slot.frame, {})[link] = slot.value
            words[slot.frame] = slot.word
            if alike and slot.frame not in own and _stem(slot) in alike:
                own[slot.frame] = alike[_stem(slot)]
    sayable = {
        link: url
        for link, url in targets.items()
        if url.startswith("http") and numbers.get(link, _ONE)[0] in _ONE
    }
    firsts = _add_first(framed, words, own, sayable)
    bare = _bare(here)
    made = {
        frame: _series(frame, words[frame], values, numbers, own=own.get(frame), bare=bare)
        for frame, values in framed.items()
    }
    best: dict[int, Series] = {}
    for link, several in slots.items():
        candidates = [made[slot.frame] for slot in several]
        if link in firsts:
            candidates = [made[firsts[link]]]
        if candidates:
            best[link] = max(candidates, key=lambda each: _rank(each, link))
    return SeriesOfPage(best, same)


def _add_first(
    framed: dict[str, dict[int, int]],
    words: dict[str, str],
    own: Mapping[str, Slot],
    targets: Mapping[int, str],
) -> dict[int, str]:
    """Links to this page's own address without its number lead to the first page: their frames."""
    firsts: dict[int, str] = {}
    for frame, slot in own.items():
        if slot.value < _SECOND or not (frame in framed or _STRONG_WORDS.search(slot.word)):
            continue
        bare = _without_hole(frame)
        found = [link for link, url in targets.items() if _unnumbered(url) in bare]
        if found:
            values = framed.setdefault(frame, {})
            words.setdefault(frame, slot.word)
            step = min([*(v for v in values.values() if v > 0), slot.value])
            first = 1 if step < min(_OFFSETS) else 0
            values.update({link: first for link in found if link not in values})
            firsts.update(dict.fromkeys(found, frame))
    return firsts


def _stem(slot: Slot) -> tuple[str, str]:
    """What makes two numbers one although other parameters differ: pagers drop those of a visit."""
    return slot.frame.partition("?")[0], slot.word


@lru_cache(maxsize=20_000)
def _unnumbered(url: str) -> str:
    parts = urlsplit(url)
    return _plain(f"//{parts.netloc}{unquote(parts.path)}?{parts.query}")


def _rank(series: Series, link: int) -> tuple[bool, bool, bool, bool, int]:
    return (
        link in series.agreeing and len(series.agreeing) > 1,
        series.near,
        bool(_PAGE_WORDS.search(series.word)),
        series.names_pages,
        series.size,
    )


def _series(
    frame: str,
    word: str,
    values: Mapping[int, int],
    numbers: Mapping[int, Sequence[float]],
    *,
    own: Slot | None,
    bare: frozenset[str],
) -> Series:
    pairs = [(link, n, value) for link, value in values.items() for n in numbers.get(link, ())[:2]]
    scale, shift, agreeing = _relation(pairs, bool(_PAGE_WORDS.search(word)))
    near = own is not None or bool(_without_hole(frame) & bare)
    here: int | None = own.value if own is not None else None
    if scale is None:
        scale, shift = _guess(sorted(set(values.values())), here)
    if here is None and near:
        zero_based = not agreeing and scale == 1 and set(values.values()) == {1}
        here = 0 if zero_based else round(scale + shift)  # the first page
    return Series(frame, word, values, scale, shift, agreeing, here, near)


def _relation(
    pairs: Sequence[tuple[int, float, int]], page_word: bool
) -> tuple[float | None, float, frozenset[int]]:
    """The line through most of (number in the text, number in the address)."""
    distinct = {(n, value) for _, n, value in pairs}
    if not distinct or len(distinct) > _MOST_PAIRS:
        return None, 0, frozenset()
    lines: list[tuple[float, float]] = [(1, 0), (1, -1)]
    for (n1, v1), (n2, v2) in pairwise(sorted(distinct)):
        if n2 > n1 and v2 > v1 and (v2 - v1) % (n2 - n1) == 0:
            scale = (v2 - v1) / (n2 - n1)
            lines.append((scale, v1 - scale * n1))
    scale, shift = max(
        lines, key=lambda line: sum(value == line[0] * n + line[1] for n, value in distinct)
    )
    fitting = {link for link, n, value in pairs if value == scale * n + shift}
    kinds = {value for link, n, value in pairs if link in fitting}
    plausible = shift in {0, -scale, 1 - scale, scale} or (scale == 1 and abs(shift) <= 2)
    if len(kinds) >= 2 and plausible:
        return scale, shift, frozenset(fitting)
    if len(kinds) == 1 and page_word and scale == 1 and shift in {0, -1}:
        return scale, shift, frozenset(fitting)
    return None, 0, frozenset()


def _guess(values: Sequence[int], here: int | None) -> tuple[float, float]:
    """Scale and shift without any text to go by: pages in ones, or offsets in round numbers."""
    known = sorted({*values, *([] if here is None else [here])})
    steps = [b - a for a, b in pairwise(known)]
    step = min(steps, default=0)
    if not step and known[0] in _OFFSETS:
        step = known[0]
    if step > 1 and all((value - known[0]) % step == 0 for value in known):
        rest = known[0] % step
        if rest in {0, 1} and (step in _OFFSETS or len(known) > 2):
            return step, rest - step
    return 1, 0


# --- addresses -------------------------------------------------------------------------------


def _key(url: str) -> str:
    """What makes two addresses one page."""
    return url.partition("#")[0].rstrip("/?&").removeprefix("https:").removeprefix("http:")


@lru_cache(maxsize=20_000)
def _slots(url: str) -> tuple[Slot, ...]:
    """Every number of an address, the last ones first."""
    if not _NUMBER.search(url):
        return ()
    found: Iterable[Slot]
    if url.startswith(("http:", "https:", "file:")):
        found = [*_query_slots(url), *_path_slots(url), *_fragment_slots(url)]
    else:
        found = _script_slots(url)
    return tuple(islice(found, _MOST_SLOTS))


def _query_slots(url: str) -> Iterator[Slot]:
    head, _, query = url.partition("#")[0].partition("?")
    pairs = parse_qsl(query.replace(";", "&"), keep_blank_values=True)
    for number, (name, value) in enumerate(pairs):
        if value.isdigit() and value.isascii() and len(value) < 10:
            others = sorted(f"{n}={v}" for k, (n, v) in enumerate(pairs) if k != number)
            yield Slot(f"{_key(head)}?{'&'.join(others)}&{name}={{}}", int(value), name.lower())
        elif (found := re.fullmatch(r"(\D{1,20})(\d{1,6})", value)) is not None:
            others = sorted(f"{n}={v}" for k, (n, v) in enumerate(pairs) if k != number)
            frame = f"{_key(head)}?{'&'.join(others)}&{name}={found[1]}{{}}"
            yield Slot(frame, int(found[2]), name.lower())


def _path_slots(url: str) -> Iterator[Slot]:
    parts = urlsplit(url)
    path = unquote(parts.path)
    frames = list(_NUMBER.finditer(path))
    if not frames:
        return
    query = "&".join(sorted(f"{n}={v}" for n, v in parse_qsl(parts.query, keep_blank_values=True)))
    for found in reversed(frames):
        before, after = path[: found.start()], path[found.end() :]
        word = re.sub(r"[^a-z]+$", "", before.lower()).rpartition("/")[2]
        word = "date" if _DATE.search(before) else re.split(r"[^a-z]", word)[-1]
        frame = f"//{parts.netloc}{before}{{}}{after.rstrip('/')}?{query}"
        yield Slot(frame, int(found.group()), word)


def _fragment_slots(url: str) -> Iterator[Slot]:
    head, _, fragment = url.partition("#")
    for found in _NUMBER.finditer(fragment[:80]):
        word = re.split(r"[^a-z]", fragment[: found.start()].lower().rstrip("=-_/"))[-1]
        frame = f"{_key(head)}#{fragment[: found.start()]}{{}}{fragment[found.end() :]}"
        yield Slot(frame, int(found.group()), word)


def _script_slots(script: str) -> Iterator[Slot]:
    for found in _NUMBER.finditer(script[:400]):
        before, after = script[: found.start()], script[found.end() : 400]
        word = (re.split(r"[^a-z]+", before.lower().rstrip("('\"=$: ,")) or [""])[-1]
        yield Slot(f"script:{before}{{}}{after}", int(found.group()), word)


_HOLES = (
    re.compile(r"&[^&=]+=\{\}$"),  # a parameter
    re.compile(r"/[a-z]+[-_/]?\{\}(?=[/?]|\.\w+\?)", re.IGNORECASE),  # /page/2, /page-2, /p2
    re.compile(r"[-_/,.]?\{\}(?=\.\w+\?|/?\?)"),  # /list-2.html, /list/2
    re.compile(r"[-_,.][a-z]+[-_,.]?\{\}(?=[/?]|\.\w+\?)", re.IGNORECASE),  # /list-page-2.html
)


def _without_hole(frame: str) -> set[str]:
    """What the address of the first page may be, which says no number."""
    found = set()
    for pattern in _HOLES:
        if hole := pattern.search(frame):
            found.add(_plain(frame[: hole.start()] + frame[hole.end() :]))
    return found


def _bare(here: str) -> frozenset[str]:
    """How this page's own address may look without a page number."""
    parts = urlsplit(here)
    pairs = sorted(f"{n}={v}" for n, v in parse_qsl(parts.query, keep_blank_values=True))
    full = _plain(f"//{parts.netloc}{unquote(parts.path)}?{'&'.join(pairs)}")
    return frozenset({full, _plain(f"//{parts.netloc}{unquote(parts.path)}")})


def _plain(address: str) -> str:
    """Without what makes no difference: a final slash, `index.html`, an empty query."""
    head, _, query = address.partition("?")
    head = re.sub(r"/(?:index|default)\.\w+$", "", head.rstrip("/")).rstrip("/")
    head = re.sub(r"\.html?$", "", head)
    query = "&".join(sorted(part for part in query.split("&") if part))
    return f"{head}?{query}" if query else head
