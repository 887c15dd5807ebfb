"""Saved HTML becomes a tree of links, by lxml. Whatever the HTML is, no exception comes of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from webgeist.analyses.menus.tree import Link, LinkTree, Step
from webgeist.page.flow import INLINE
from webgeist.page.links import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

_LINKS = ("a", "area", "frame", "iframe")
_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_NOFRAMES = re.compile(rb"<(/?)noframes\b[^>]*>", re.IGNORECASE)
_HEAD = 2048  # bytes in which a page says how it is encoded
_BLANKS = re.compile(r"[\s\x00]+")


def parse_html(url: str, html: bytes | str) -> LinkTree:
    """The links of a page, resolved against its address or its `base`."""
    tree = LinkTree(url)
    root = _root(html)
    if root is None:
        return tree
    base = _base(url, root)
    known: dict[object, int] = {}
    for element in root.iter(*_LINKS):
        link = _link(element, base)
        if link is None:
            continue
        above = element.getparent()
        parent = -1 if above is None else _place(tree, above, known)
        tree.add_link(parent, _step(element), link)
    return tree


def _root(html: bytes | str) -> etree._Element | None:
    data = html.encode("utf-8", "replace") if isinstance(html, str) else html
    encoding = "utf-8" if isinstance(html, str) else _encoding(data)
    if b"frames" in data.lower():  # what stands for frames is text to parsers; here it is a page
        data = _NOFRAMES.sub(rb"<\1div>", data)
    parser = etree.HTMLParser(
        encoding=encoding, remove_comments=True, remove_pis=True, huge_tree=True
    )
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):  # nothing in it
        return None


def _encoding(data: bytes) -> str:
    """UTF-8 if it is that, else what the page says, else what browsers take."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        said = _CHARSET.search(data[:_HEAD])
        name = said[1].decode("ascii", "replace").lower() if said else ""
        return name if name and _is_known(name) else "windows-1252"
    return "utf-8"


def _is_known(name: str) -> bool:
    if name in {"utf-8", "utf8"}:
        return False  # it is not
    try:
        etree.HTMLParser(encoding=name)
        "".encode(name)
    except LookupError:
        return False
    return True


def _base(url: str, root: etree._Element) -> str:
    for element in root.iter("base"):
        if href := element.get("href"):
            return resolve(url, href.strip()) or url
    return url


def _link(element: etree._Element, base: str) -> Link | None:
    """A frame leads to its page like a link: on some sites nothing else does."""
    href = element.get("src" if element.tag in {"frame", "iframe"} else "href")
    if href is None:
        return None
    url = resolve(base, href.strip())
    return Link(url if url and url.startswith("http") else None, _text(element))


def _text(element: etree._Element) -> str:
    text = _folded("".join(_words(element)))
    if text:
        return text
    alternatives = " ".join(image.get("alt", "") for image in element.iter("img"))
    return _folded(alternatives or element.get("title", "") or element.get("name", ""))


def _words(element: etree._Element) -> Iterator[str]:
    """The words of a link, with a space where a block begins or ends."""
    if not len(element):
        yield element.text or ""
        return
    for event, each in etree.iterwalk(element, events=("start", "end")):
        if each is not element and each.tag not in INLINE:
            yield " "
        more = each.text if event == "start" else each.tail if each is not element else None
        if more:
            yield more


def _folded(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()


def _place(tree: LinkTree, element: etree._Element, known: dict[object, int]) -> int:
    """The number of an element in the tree; it and those above it are added where they are new."""
    above: list[etree._Element] = []
    at: etree._Element | None = element
    while at is not None and at not in known:
        above.append(at)
        at = at.getparent()
    number = -1 if at is None else known[at]
    for each in reversed(above):
        number = known[each] = tree.add(number, _step(each))
    return number


def _step(element: etree._Element) -> Step:
    tag = element.tag if isinstance(element.tag, str) else "?"
    classes = element.get("class", "")
    return Step(tag, element.get("id", "").strip(), " ".join(classes.split()) if classes else "")
