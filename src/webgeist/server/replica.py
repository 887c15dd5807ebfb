"""The HTML of a captured page as it stood when the picture was taken, without anything that runs.

Written from the snapshot, so what scripts had made of the page is in it. Scripts, handlers and
addresses of other hosts are not; pictures, fonts and style sheets come from the archive. That the
page can do nothing is ensured by the headers it is sent with: what is left out here is left out so
that nobody has to rely on one lock alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING

import ada_url

from webgeist.page.model import ELEMENT, TEXT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webgeist.page.model import Page

    Find = Callable[[str], str | None]  # an absolute address → where it is stored, if it is

_DOCUMENT, _FRAGMENT = 9, 11
_LEFT_OUT = frozenset(
    {
        *("script", "noscript", "base", "object", "embed", "applet", "portal", "template"),
        *("frame", "frameset", "fencedframe"),
    }
)
_EMPTY = frozenset(
    {
        *("area", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"),
        *("source", "track", "wbr"),
    }
)
_SHOWN = frozenset({"src", "poster", "background", "data", "xlink:href"})  # loaded to be shown
_LISTS = frozenset({"srcset", "imagesrcset"})
_LEADING = frozenset({"href", "action", "formaction", "ping", "cite", "longdesc", "manifest"})
_DROPPED = frozenset({"srcdoc", "http-equiv", "nonce", "integrity", "crossorigin", "autofocus"})
_NAME = re.compile(r"[A-Za-z_:][-A-Za-z0-9_:.]*")
_CSS_URL = re.compile(
    r"""url\(\s*(?:"([^"]*)"|'([^']*)'|([^'")\s]*))\s*\)|@import\s+(?:"([^"]*)"|'([^']*)')""",
    re.IGNORECASE,
)
_INLINE = re.compile(r"data:(?:image|font|application/(?:x-)?font)", re.IGNORECASE)
_NOTHING = "data:,"


@dataclass(frozen=True)
class Replica:
    """Writes one page. `find` says where a stored answer is shown."""

    page: Page
    find: Find

    def html(self) -> str:
        """The page's own document, frames left empty."""
        return "<!DOCTYPE html>\n" + "".join(self._below(range(len(self.page))))

    def _below(self, nodes: range) -> Iterator[str]:
        """The nodes of a range and the ends of those that hold others. No recursion: pages are
        nested as deep as they like.
        """
        open_: list[tuple[int, str]] = []
        node = nodes.start
        while node < nodes.stop:
            while open_ and open_[-1][0] <= node:
                yield open_.pop()[1]
            end = int(self.page.end[node])
            begin, close = self._tags(node)
            yield begin
            if close is None:
                node = end
            else:
                if close:
                    open_.append((end, close))
                node += 1
        yield from (close for _, close in reversed(open_))

    def _tags(self, node: int) -> tuple[str, str | None]:
        """What begins and ends a node; None for the end of one whose inside is left out."""
        kind, name = int(self.page.type[node]), self.page.names[node]
        if kind == TEXT:
            return self._text(node), None
        if kind == _FRAGMENT:
            return self._shadow(node)
        if kind != ELEMENT:
            own = kind == _DOCUMENT and self.page.document[node] == 0
            return "", "" if own else None
        return self._element(node, name)

    def _element(self, node: int, name: str) -> tuple[str, str | None]:
        if name in _LEFT_OUT or not _NAME.fullmatch(name):
            return "", None
        begin = f"<{name}{''.join(self._attributes(node, name))}>"
        if name == "style":
            css = rewritten(self._inside(node), self._base(node), self.find)
            return begin + css.replace("</", "<\\/") + "</style>", None
        if name == "iframe":
            return f"{begin}</iframe>", None
        return begin, None if name in _EMPTY else f"</{name}>"

    def _text(self, node: int) -> str:
        return escape(self.page.texts[node] or "", quote=False)

    def _shadow(self, node: int) -> tuple[str, str | None]:
        """A shadow tree of the page's own; those of the browser come by themselves."""
        if self._shadows[node] not in ("open", "closed"):
            return "", None
        return '<template shadowrootmode="open">', "</template>"

    @cached_property
    def _shadows(self) -> list[str | None]:
        found: list[str | None] = self.page.nodes.column("shadow").to_pylist()
        return found

    @cached_property
    def _sources(self) -> list[str | None]:
        """The picture that each image chose to show."""
        found: list[str | None] = self.page.nodes.column("source_url").to_pylist()
        return found

    def _inside(self, node: int) -> str:
        below = range(node + 1, int(self.page.end[node]))
        return "".join(self.page.texts[each] or "" for each in below)

    def _base(self, node: int) -> str:
        return self.page.documents[int(self.page.document[node])].base_url

    def _attributes(self, node: int, name: str) -> Iterator[str]:
        base = self._base(node)
        given = self.page.attributes(node)
        if chosen := self._sources[node]:
            given["src"] = chosen
        for key, value in given.items():
            said = self._attribute(name, key.lower(), value, base)
            if said is not None and _NAME.fullmatch(key):
                yield f' {key}="{escape(said)}"'

    def _attribute(self, name: str, key: str, value: str, base: str) -> str | None:
        """What becomes of an attribute; None where it is left out."""
        if key.startswith("on") or key in _DROPPED or (name == "iframe" and key == "src"):
            return None
        if key in _LISTS:
            return None  # the picture that was chosen stands in src
        if key in _SHOWN or (key == "href" and name in ("link", "image", "use", "feImage")):
            return stored(value, base, self.find)
        if key in _LEADING:
            return None if key != "href" else "#"
        if key == "style":
            return rewritten(value, base, self.find)
        return value


def stored(address: str, base: str, find: Find) -> str | None:
    """Where what an address means is shown: in the archive, or in the address itself."""
    text = address.strip()
    if _INLINE.match(text) or text.startswith("#"):
        return text
    try:
        absolute = ada_url.join_url(base, text)
    except ValueError:
        return None
    return find(absolute.partition("#")[0])


def rewritten(css: str, base: str, find: Find) -> str:
    """A style sheet whose addresses lead to the archive, or nowhere."""

    def replaced(match: re.Match[str]) -> str:
        address = next((group for group in match.groups() if group is not None), "")
        place = stored(address, base, find) or _NOTHING
        safe = re.sub(r'["\\\n\r\f<]', lambda bad: f"\\{ord(bad[0]):x} ", place)
        return f'@import "{safe}"' if match[0][0] == "@" else f'url("{safe}")'

    return _CSS_URL.sub(replaced, css)
