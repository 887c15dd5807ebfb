"""What a page has to click on and to read, in plain Python: annotators ask this, not the page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.blocks.annotators.names import name_kinds
from webgeist.page.links import resolve
from webgeist.page.model import ELEMENT, TEXT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from webgeist.page.model import Page

_CLICKED = ("a", "area", "button")
_BUTTONS = frozenset({"button", "submit", "image"})
_PICTURES = frozenset({"img", "svg", "input", "image"})
_SILENT = frozenset({"script", "style", "template", "noscript", "option"})
_MOST_AROUND = 6  # nodes beside the one element of a wrapper: texts and comments
_MOST_INSIDE = 12  # nodes below a link that are asked for names and labels
_SCRIPT = re.compile(r"^\s*javascript:", re.IGNORECASE)
_LISTENING = ("on", "data-", "ng-", "@", "v-", "role", "tabindex")
_WRAPPERS = frozenset({"li", "span", "td"})


@dataclass(frozen=True)
class Inside:
    """What lies inside an element: alternative texts, class names, and whether it has pictures."""

    labels: list[str]
    names: tuple[str, ...]
    pictures: str


class _Attributes(dict[int, dict[str, str]]):
    """Attributes by node, of those nodes that somebody asks for."""

    def __init__(self, page: Page) -> None:
        self._pairs = page._attributes  # noqa: SLF001 - the same for all nodes at once

    def __missing__(self, node: int) -> dict[str, str]:
        found = self[node] = dict(self._pairs[node] or ())
        return found


class Elements:
    """One page's elements. `clickable` are in document order, none inside another."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._names = page.names
        self._parent: list[int] = page.parent.tolist()
        self._end: list[int] = page.end.tolist()
        self._type: list[int] = page.type.tolist()
        self._attributes = _Attributes(page)
        self.clickable: list[int] = self._find_clickable()
        self._texts: dict[int, str] = {}
        self._kinds: dict[int, frozenset[str]] = {}

    # --- which ---------------------------------------------------------------------------------

    def _find_clickable(self) -> list[int]:
        """Links, buttons, and what a script listens to, without what is inside another of them.

        Browsers call every ancestor of a listener clickable, too: only small ones count.
        """
        page = self.page
        plain = page.named(*_CLICKED)
        scripted = page.with_attribute("onclick") | page.with_attribute("role", "button")
        scripted |= page.with_attribute("role", "link")
        buttons = page.named("input") & self._is_button_input()
        candidates = np.flatnonzero((plain | buttons | scripted) & (page.type == ELEMENT))
        found: list[int] = []
        stop = -1
        for node in candidates.tolist():
            if node < stop:
                continue
            if not plain[node] and not buttons[node] and self._is_large(node):
                continue
            if self._names[node] == "a" and not self._can_be_clicked(node):
                continue
            found.append(node)
            stop = self._end[node]
        return found

    def _is_button_input(self) -> NDArray[np.bool_]:
        marked = np.zeros(len(self.page), bool)
        for node in np.flatnonzero(self.page.named("input")).tolist():
            marked[node] = self._attributes[node].get("type", "").lower() in _BUTTONS
        return marked

    def _is_large(self, node: int) -> bool:
        """Holds links of its own: a menu or a card, not a button."""
        return any(self._names[each] == "a" for each in range(node + 1, self._end[node]))

    def _can_be_clicked(self, node: int) -> bool:
        """An `a` without an address is often the current item: only with a script, or where keys
        reach it, it is a link.
        """
        attributes = self._attributes[node]
        if "href" in attributes or "xlink:href" in attributes:
            return True
        if any(name.startswith(_LISTENING) for name in attributes):
            return True
        wrapper = self.wrapper(node)
        return wrapper is not None and any(
            name.startswith(("on", "tabindex")) for name in self._attributes[wrapper]
        )

    @cached_property
    def other_texts(self) -> dict[int, str]:
        """Short texts that are not inside anything clickable, by node."""
        return dict(self._find_texts())

    def _find_texts(self) -> Iterator[tuple[int, str]]:
        covered = np.zeros(len(self.page) + 1, np.int32)
        for node in self.clickable:
            covered[node] += 1
            covered[self._end[node]] -= 1
        free = np.cumsum(covered[:-1]) == 0
        said = np.flatnonzero(free & (self.page.type == TEXT))
        texts = self.page.texts
        for node in said.tolist():
            text = texts[node]
            if not text or len(text) > 200 or text.isspace():
                continue
            if self._names[self._parent[node]] not in _SILENT:
                yield node, " ".join(text.split())

    # --- what they say -------------------------------------------------------------------------

    def text(self, node: int) -> str:
        known = self._texts.get(node)
        if known is None:
            known = self._texts[node] = self.page.text(node)
        return known

    def attribute(self, node: int, name: str) -> str:
        return self._attributes[node].get(name, "")

    def attributes(self, node: int) -> dict[str, str]:
        return self._attributes[node]

    def name_text(self, node: int, names: Iterable[str]) -> str:
        attributes = self._attributes[node]
        return " ".join(attributes[name] for name in names if name in attributes)

    def name_kinds(self, node: int) -> frozenset[str]:
        known = self._kinds.get(node)
        if known is None:
            known = self._kinds[node] = name_kinds(self.name_text(node, ("class", "id")))
        return known

    def above(self, node: int, most: int) -> Iterator[int]:
        at = self._parent[node]
        while at >= 0 and most > 0 and self._names[at] not in {"body", "html", "#document"}:
            yield at
            at = self._parent[at]
            most -= 1

    def inside(self, node: int) -> Inside:
        labels, names, pictures = [], [], ""
        for each in range(node + 1, min(self._end[node], node + 1 + _MOST_INSIDE)):
            if self._type[each] != ELEMENT:
                continue
            attributes = self._attributes[each]
            labels += [attributes[n] for n in ("alt", "title", "aria-label") if n in attributes]
            if "class" in attributes:
                names.append(attributes["class"])
            if self._names[each].lower() in _PICTURES:
                file = attributes.get("src", "").partition("?")[0].rpartition("/")[2]
                pictures = file or self._names[each]
                names.append(file.rpartition(".")[0])
        if self._names[node] == "input":
            pictures = self._attributes[node].get("src", "")
        return Inside(labels, tuple(n for n in names if n), pictures)

    def is_disabled(self, node: int) -> bool:
        attributes = self._attributes[node]
        if "disabled" in attributes or attributes.get("aria-disabled") == "true":
            return True
        kinds = name_kinds(attributes.get("class", ""))
        holder = self._parent[node]
        if holder >= 0 and self._names[holder] in _WRAPPERS:
            kinds |= name_kinds(self._attributes[holder].get("class", ""))
        return "DISABLED" in kinds

    def wrapper(self, node: int) -> int | None:
        """The item of a list or the like that holds this element and nothing else."""
        holder = self._parent[node]
        if holder < 0 or self._names[holder] not in _WRAPPERS or not self._attributes[holder]:
            return None
        around = (*range(holder + 1, node), *range(self._end[node], self._end[holder]))
        if len(around) > _MOST_AROUND:
            return None
        texts = self.page.texts
        for each in around:
            if self._type[each] == ELEMENT and not self._names[each].startswith("::"):
                return None  # a marker of a list is no element of the page
            if self._type[each] == TEXT and (texts[each] or "").strip():
                return None
        return holder

    # --- where they lead -----------------------------------------------------------------------

    def href(self, node: int) -> str | None:
        attributes = self._attributes[node]
        return attributes.get("href", attributes.get("xlink:href"))

    @cached_property
    def targets(self) -> dict[int, str]:
        """The absolute URL of each clickable element that has one."""
        found = {}
        for node in self.clickable:
            href = self.href(node)
            if href is None or _SCRIPT.match(href):
                continue
            base = self.page.documents[int(self.page.document[node])].base_url
            url = resolve(base, href.strip())
            if url is not None:
                found[node] = url
        return found
