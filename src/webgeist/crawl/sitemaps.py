"""Reads sitemaps (sitemaps.org): lists of pages or of lists, XML or text, gzip. Pure, bounded."""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from xml.parsers import expat

if TYPE_CHECKING:
    from collections.abc import Iterator

_GZIP = b"\x1f\x8b"
_PIECE = 1 << 16
_LONGEST_TEXT = 10_000  # characters of an address or a time


class SitemapError(Exception):
    """Why a sitemap was not read to its end."""


@dataclass(frozen=True)
class Entry:
    """An address in a sitemap. `changed` is when the site says that it last did."""

    url: str
    changed: datetime | None = None


@dataclass
class Sitemap:
    """What a file lists. `problem` says why there may be more than that."""

    pages: list[Entry] = field(default_factory=list)
    sitemaps: list[Entry] = field(default_factory=list)
    problem: str = ""


def read_sitemap(body: bytes, *, most_bytes: int, most_urls: int) -> Sitemap:
    """What `body` lists, as far as it can be read and the limits allow."""
    found = Sitemap()
    try:
        pieces = _unpacked(body, most_bytes)
        first = next(pieces, b"")
        reader = _Xml(found, most_urls) if b"<" in first[:1000] else _Text(found, most_urls)
        reader.take(first)
        for piece in pieces:
            reader.take(piece)
        reader.end()
    except (SitemapError, expat.ExpatError, zlib.error) as error:
        found.problem = str(error)
    return found


def _unpacked(body: bytes, most_bytes: int) -> Iterator[bytes]:
    """The file in pieces, never more of it than `most_bytes`."""
    size = 0
    for piece in _gunzipped(body) if body.startswith(_GZIP) else _pieces(body):
        size += len(piece)
        if size > most_bytes:
            raise SitemapError(f"longer than {most_bytes} bytes")
        yield piece


def _pieces(body: bytes) -> Iterator[bytes]:
    for start in range(0, len(body), _PIECE):
        yield body[start : start + _PIECE]


def _gunzipped(body: bytes) -> Iterator[bytes]:
    unpacker = zlib.decompressobj(wbits=31)
    left = body
    while left and not unpacker.eof:
        yield unpacker.decompress(left, _PIECE)
        left = unpacker.unconsumed_tail
    if not unpacker.eof:
        raise SitemapError("its gzip file is cut off")


class _Text:
    """One address a line."""

    def __init__(self, found: Sitemap, most_urls: int) -> None:
        self._found = found
        self._most = most_urls
        self._left = b""

    def take(self, piece: bytes) -> None:
        *lines, self._left = (self._left + piece).split(b"\n")
        if len(self._left) > _LONGEST_TEXT:
            raise SitemapError("neither XML nor a list of addresses")
        for line in lines:
            self._line(line)

    def end(self) -> None:
        self._line(self._left)

    def _line(self, line: bytes) -> None:
        text = line.decode("utf-8-sig", "replace").strip()
        if text.startswith(("http://", "https://")):
            _add(self._found, self._found.pages, Entry(text), self._most)


class _Xml:
    """urlset and sitemapindex; whatever else is in them is passed over."""

    def __init__(self, found: Sitemap, most_urls: int) -> None:
        self._found = found
        self._most = most_urls
        self._path: list[str] = []
        self._texts: dict[str, str] = {}
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.buffer_text = True
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._stop
        self._parser.CharacterDataHandler = self._say
        self._parser.EntityDeclHandler = _refuse

    def take(self, piece: bytes) -> None:
        self._parser.Parse(piece)

    def end(self) -> None:
        self._parser.Parse(b"", True)

    def _start(self, name: str, _attributes: object) -> None:
        self._path.append(name.rpartition(" ")[2])
        if len(self._path) == len(("urlset", "url")):
            self._texts.clear()

    def _say(self, text: str) -> None:
        if len(self._path) == len(("urlset", "url", "loc")):
            before = self._texts.get(self._path[-1], "")
            self._texts[self._path[-1]] = (before + text)[:_LONGEST_TEXT]

    def _stop(self, _name: str) -> None:
        lists = {
            "urlset url": self._found.pages,
            "sitemapindex sitemap": self._found.sitemaps,
        }
        entries = lists.get(" ".join(self._path))
        self._path.pop()
        url = self._texts.get("loc", "").strip()
        if entries is not None and url:
            _add(
                self._found, entries, Entry(url, _time(self._texts.get("lastmod", ""))), self._most
            )


def _add(found: Sitemap, entries: list[Entry], entry: Entry, most: int) -> None:
    if len(found.pages) + len(found.sitemaps) >= most:
        raise SitemapError(f"more than {most} addresses")
    entries.append(entry)


def _refuse(*_: object) -> None:
    raise SitemapError("it defines entities, which no sitemap needs")


def _time(text: str) -> datetime | None:
    """A W3C date, as far as it is one: 2026, 2026-11, 2026-11-16 or with a time."""
    text = text.strip()
    for form in (text, f"{text}-01", f"{text}-01-01"):
        try:
            found = datetime.fromisoformat(form)
        except ValueError:
            continue
        return found if found.tzinfo else found.replace(tzinfo=UTC)
    return None
