"""What a page's markup says of its parts: tags, roles, and the words of classes and ids.

A mark is evidence, never a verdict: a `main` may hold menus, and a class says what its author felt.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from webgeist.page.model import Page

    Bools = NDArray[np.bool_]

_TAGS = {
    "header": ("header",),
    "footer": ("footer",),
    "menu": ("nav", "menu"),
    "sidebar": ("aside",),
    "main": ("main", "article"),
    "table": ("table",),
    "list": ("ul", "ol", "dl"),
    "form": ("form", "button", "select", "label", "input", "option", "textarea"),
    "title": ("h1",),
    "heading": ("h1", "h2", "h3", "h4", "h5", "h6"),
    "overlay": ("dialog",),
    "video": ("video",),
    "search": ("search",),
}
_ROLES = {
    "header": ("banner",),
    "footer": ("contentinfo",),
    "menu": ("navigation", "menu", "menubar", "tablist"),
    "sidebar": ("complementary",),
    "main": ("main", "article"),
    "heading": ("heading",),
    "overlay": ("dialog", "alertdialog"),
    "notice": ("alert", "status", "timer", "marquee"),
    "search": ("search",),
}
# Whole words of classes and ids, which are cut at hyphens, underscores and capitals.
_WORDS = {
    "header": r"header|masthead|topbar|top bar|banner|hero",
    "footer": r"footer|foot|colophon|copyright|legal links|bottom bar",
    "menu": r"nav|navs|navbar|navigation|navi|menu|menus|submenu|megamenu|breadcrumbs?|tabs?"
    r"|pagination|pager|sitemap|flyout|dropdown|hamburger|language|languages|lang|locale",
    "sidebar": r"sidebar|side|aside|rail|secondary|widget|widgets",
    "main": r"main|content|contents|article|post|entry|story|body text|rich text|richtext|prose"
    r"|markdown|policy|terms|legal|document|doc|wysiwyg",
    "consent": r"cookies?|consent|gdpr|ccpa|onetrust|cookiebot|cybot|cmp|didomi|truste|optanon"
    r"|privacy banner|usercentrics|osano|iubenda|qc cmp",
    "ad": r"ads?|advert|adverts|advertisement|sponsor|sponsored|promo|promotion|promoted|dfp|gpt"
    r"|outbrain|taboola",
    "related": r"related|recommend|recommended|recommendations|similar|more|latest|trending"
    r"|popular|suggested|also|teasers?|newsletter|subscribe|cta",
    "comments": r"comments?|disqus|replies|respond",
    "share": r"share|sharing|social|follow|addthis",
    "carousel": r"carousel|slider|slides?|slick|swiper|ticker|marquee|rotator|glide|splide",
    "overlay": r"modal|popup|pop up|overlay|dialog|lightbox|toast|drawer|tooltip|snackbar",
    "notice": r"notice|announcement|announce|alert|notification|banner",
    "search": r"search|searchbox|searchbar|searchform",
    "logo": r"logo|brand|branding|wordmark",
    "contents": r"toc|table of contents|contents list|jump|anchors?|scrollspy|on this page",
    "date": r"date|time|timestamp|updated|published|modified|ago|meta|byline|author",
    "counter": r"count|counter|counts|views|likes|votes|score|rating|price|stock|quote",
    "article": r"article|post|entry|prose|markdown|story",
}
_PATTERNS = {name: re.compile(rf"\b(?:{words})\b") for name, words in _WORDS.items()}
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_APART = re.compile(r"[^a-z0-9]+")
_LONGEST = 300  # characters of a class that are looked at
MARKS = tuple(sorted(set(_TAGS) | set(_ROLES) | set(_WORDS)))


def bits(*names: str) -> int:
    """Marks as one number: a bit for each, in the order of MARKS."""
    return sum(1 << MARKS.index(name) for name in names)


def attribute(page: Page, name: str) -> dict[int, str]:
    """The values of an attribute, by node."""
    column = page.nodes["attributes"].combine_chunks()
    offsets = column.offsets.to_numpy() - column.offsets[0].as_py()
    hits = np.flatnonzero(pc.equal(column.keys, name).to_numpy(zero_copy_only=False))
    nodes = np.searchsorted(offsets, hits, side="right") - 1
    return dict(zip(nodes.tolist(), column.items.take(pa.array(hits)).to_pylist(), strict=True))


def marks(page: Page) -> dict[str, Bools]:
    """For each mark, which nodes have it themselves or above them."""
    own = {name: np.zeros(len(page), bool) for name in MARKS}
    for name, tags in _TAGS.items():
        own[name] |= page.named(*tags)
    for node, role in attribute(page, "role").items():
        for name, roles in _ROLES.items():
            if role.lower() in roles:
                own[name][node] = True
    body = page.named("html", "body")
    for attribute_name in ("class", "id"):
        said = attribute(page, attribute_name)
        found = {text: _found(text) for text in set(said.values())}
        for node, text in said.items():
            if not body[node]:
                for name in found[text]:
                    own[name][node] = True
    return {name: page.below(marked) | marked for name, marked in own.items()}


def _found(text: str) -> tuple[str, ...]:
    words = _APART.sub(" ", _CAPITAL.sub(" ", text[:_LONGEST]).lower())
    return tuple(name for name, pattern in _PATTERNS.items() if pattern.search(words))
