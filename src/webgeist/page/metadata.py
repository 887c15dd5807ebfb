"""What a page says about itself: title, language, canonical address, metas, structured data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.page.links import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.page.model import Page

_NAMING = ("name", "property", "http-equiv", "itemprop")


@dataclass(frozen=True)
class Meta:
    """One meta element: the attribute that names it, the name, the content."""

    kind: str
    name: str
    content: str


@dataclass(frozen=True)
class Metadata:
    """As found on the page. `json_ld` holds the scripts' texts, valid JSON or not."""

    title: str
    language: str | None
    canonical: str | None
    alternates: tuple[tuple[str, str], ...]  # (hreflang or type, absolute URL)
    metas: tuple[Meta, ...]
    json_ld: tuple[str, ...]
    microdata: tuple[str, ...]  # item types
    rdfa: tuple[str, ...]  # values of typeof


def metadata(page: Page) -> Metadata:
    """Read from the page's own document; frames speak for themselves."""
    own = [(node, page.names[node]) for node in _own_elements(page)]
    found = [(node, name, page.attributes(node)) for node, name in own]
    base = page.documents[0].base_url
    links = [attributes for _, name, attributes in found if name == "link"]
    return Metadata(
        title=page.documents[0].title,
        language=next((a["lang"] for _, name, a in found if name == "html" and "lang" in a), None)
        or page.documents[0].language
        or None,
        canonical=next((_target(base, a) for a in links if "canonical" in _rel(a)), None),
        alternates=tuple(
            (a.get("hreflang") or a.get("type", ""), target)
            for a in links
            if "alternate" in _rel(a) and (target := _target(base, a))
        ),
        metas=tuple(meta for _, name, a in found if name == "meta" for meta in _metas(a)),
        json_ld=tuple(
            "".join(page.texts[below] or "" for below in range(node + 1, int(page.end[node])))
            for node, name, a in found
            if name == "script" and a.get("type", "").lower() == "application/ld+json"
        ),
        microdata=_distinct(a["itemtype"] for _, _, a in found if a.get("itemtype")),
        rdfa=_distinct(a["typeof"] for _, _, a in found if a.get("typeof")),
    )


def _own_elements(page: Page) -> Iterator[int]:
    return (node for node in range(len(page)) if page.type[node] == 1 and page.document[node] == 0)


def _rel(attributes: dict[str, str]) -> list[str]:
    return attributes.get("rel", "").lower().split()


def _target(base: str, attributes: dict[str, str]) -> str | None:
    return resolve(base, attributes["href"]) if attributes.get("href") else None


def _metas(attributes: dict[str, str]) -> Iterator[Meta]:
    for kind in _NAMING:
        if kind in attributes and "content" in attributes:
            yield Meta(kind, attributes[kind], attributes["content"])


def _distinct(values: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
