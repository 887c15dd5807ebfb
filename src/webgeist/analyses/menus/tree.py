"""What of a page matters for menus: its links and the elements that they lie in.

Saved HTML and captures both become this one small tree; nothing else of a page is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Step:
    """An element on the way from the root to a segment, as a template would name it."""

    name: str
    id: str = ""
    classes: str = ""

    def __str__(self) -> str:
        named = f"#{self.id}" if self.id else ""
        return self.name + named + "".join(f".{each}" for each in self.classes.split())


Path = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """Where a link leads to (None: to no page) and its words."""

    url: str | None
    text: str = ""


@dataclass(slots=True)
class LinkTree:
    """The links of a page with all elements above them, a parent always before its children.

    `parents` is -1 for a root. An element has its step in `steps`; a link stands in `links`.
    """

    url: str
    parents: list[int] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    links: dict[int, Link] = field(default_factory=dict)

    def add(self, parent: int, step: Step) -> int:
        """A new element below another one."""
        self.parents.append(parent)
        self.steps.append(step)
        return len(self.parents) - 1

    def add_link(self, parent: int, step: Step, link: Link) -> None:
        """A new link; whatever is inside it does not matter."""
        self.links[self.add(parent, step)] = link

    def path(self, node: int) -> Path:
        """The steps from the root down to an element."""
        steps = []
        while node >= 0:
            steps.append(self.steps[node])
            node = self.parents[node]
        return tuple(reversed(steps))
