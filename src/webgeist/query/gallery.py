"""The pictures that style values name, such as those of cursors, small enough for a chart.

They come from the archive or stand in the value itself (`data:`); nothing is asked of any server.
What was captured may be hostile: a picture is made anew from its pixels, and a drawing that names
anything outside of itself is left out, because whoever draws it would ask for that.
"""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING
from urllib.parse import unquote_to_bytes

from lxml import etree
from PIL import Image, UnidentifiedImageError

from webgeist.errors import LimitError
from webgeist.query.fetch import named_in, stored

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository

SIDE = 32  # pixels; larger cursors are shrunk
_MOST_BYTES = 1_000_000
_MOST_PIXELS = 1_000_000
_FORMATS = ("PNG", "GIF", "ICO", "JPEG", "WEBP", "BMP")
_CURSOR, _ICON = b"\0\0\2\0", b"\0\0\1\0"  # one is the other with a hot spot
_LOUD = ("url(", "@import", "http:", "https:", "file:", "data:", "//")  # leads out of a drawing
_NAMES_ONLY = ("http://www.w3.org/", "https://www.w3.org/")  # of namespaces, which nobody asks for


def gallery(repository: Repository, release: Release, values: Iterable[str]) -> dict[str, str]:
    """From CSS values to the first picture that each names, as a `data:` address. Values that name
    none, or none that is stored and can be drawn, are not in it.
    """
    named = {value: named_in(value) for value in values}
    asked = [url for urls in named.values() for url in urls if url.startswith("http")]
    known = stored(release, asked)
    found: dict[str, str] = {}
    for value, urls in named.items():
        bodies = (_body(repository, url, known) for url in urls)
        drawn = next((each for each in map(picture, filter(None, bodies)) if each), None)
        if drawn is not None:
            found[value] = drawn
    return found


def picture(body: bytes) -> str | None:
    """A small picture of what these bytes show; none where they show nothing that may be drawn."""
    if body.lstrip()[:1] == b"<":
        drawing = _drawing(body)
        return None if drawing is None else _address("image/svg+xml", drawing)
    if body.startswith(_CURSOR):
        body = _ICON + body[len(_CURSOR) :]
    try:
        with Image.open(io.BytesIO(body), formats=_FORMATS) as opened:
            if opened.width * opened.height > _MOST_PIXELS:
                return None
            small = opened.convert("RGBA")
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError):
        return None  # broken, or of a form that no browser takes for a cursor either
    small.thumbnail((SIDE, SIDE))
    png = io.BytesIO()
    small.save(png, "PNG")
    return _address("image/png", png.getvalue())


def _drawing(body: bytes) -> bytes | None:
    """An SVG with a size, unless it names something outside of itself or is no SVG."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    try:
        root = etree.fromstring(body, parser)
    except etree.XMLSyntaxError:
        return None
    if etree.QName(root).localname != "svg" or b"<!doctype" in body.lower():
        return None
    if any(_leads_out(text) for element in root.iter() for text in _texts(element)):
        return None
    width, height = root.get("width", str(SIDE)), root.get("height", str(SIDE))
    if root.get("viewBox") is None:
        root.set("viewBox", f"0 0 {width.removesuffix('px')} {height.removesuffix('px')}")
    root.set("width", str(SIDE))
    root.set("height", str(SIDE))
    return etree.tostring(root)


def _texts(element: etree._Element) -> Iterable[str]:
    return [element.text or "", element.tail or "", *element.attrib.values()]


def _leads_out(text: str) -> bool:
    folded = "".join(text.split()).lower().replace("\\", "").replace("url(#", "")
    for name in _NAMES_ONLY:
        folded = folded.replace(name, "")
    return any(mark in folded for mark in _LOUD)


def _body(repository: Repository, url: str, known: dict[str, str]) -> bytes | None:
    if url.startswith("data:"):
        return _inline(url)
    if url not in known:
        return None
    try:
        body, coding = repository.resource(known[url]).unpacked(_MOST_BYTES)
    except LimitError:
        return None  # no cursor has a million bytes
    return None if coding else body


def _inline(url: str) -> bytes | None:
    head, comma, data = url.partition(",")
    if not comma or len(data) > _MOST_BYTES:
        return None
    plain = unquote_to_bytes(data)
    if not head.lower().endswith(";base64"):
        return plain
    try:
        return base64.b64decode(plain)
    except ValueError:
        return None


def _address(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode()}"
