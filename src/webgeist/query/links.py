"""How the rows of two scopes belong together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from webgeist.query.scopes import Scope

CAPTURE = ("capture", "capture")


@dataclass(frozen=True)
class Bound:
    """The sum of some columns of the outer row, compared with that of some of the inner."""

    outer: tuple[str, ...]
    operator: str
    inner: tuple[str, ...]


@dataclass(frozen=True)
class Link:
    """Which rows of the inner scope belong to a row of the outer: all of this must hold.

    `on` are equal columns, `fixed` what a column of the inner must be. `same` rows are those of one
    table: the inner row is the outer row. At most one belongs to a row where it is `single`.
    """

    on: tuple[tuple[str, str], ...] = (CAPTURE,)
    bounds: tuple[Bound, ...] = ()
    fixed: tuple[tuple[str, int | None], ...] = ()
    same: bool = False
    single: bool = False

    @property
    def outer(self) -> tuple[str, ...]:
        """The outer's columns that it needs."""
        return tuple(
            dict.fromkeys(
                [name for name, _ in self.on] + [n for bound in self.bounds for n in bound.outer]
            )
        )

    @property
    def inner(self) -> tuple[str, ...]:
        names = [name for _, name in self.on] + [name for name, _ in self.fixed]
        return tuple(dict.fromkeys(names + [n for bound in self.bounds for n in bound.inner]))


_LOOK = Link(fixed=(("block", 0),), single=True)
_TEXTS_IN_IT = Link(bounds=(Bound(("node",), "<=", ("node",)), Bound(("end",), ">", ("node",))))


def link(outer: Scope, inner: Scope, *, whole: bool = False) -> Link | None:
    """How `inner` rows belong to an `outer` row; None where nothing but the page joins them.

    The look of a page is its block 0; all of its blocks are meant where they are counted or
    quantified (`whole`).
    """
    if "@page" in (outer.name, inner.name):
        if inner.name == "@visual" and not whole:
            return _LOOK
        return Link(single=inner.name == "@page", same=outer.name == inner.name)
    if inner.name == "@text" and outer.name == "@dom":
        return _TEXTS_IN_IT
    for key in ("block", "node"):
        if key in inner.columns and key in outer.columns:
            same = outer.main == inner.main and key in outer.keys and key in inner.keys
            return Link((CAPTURE, (key, key)), same=same, single=key in inner.keys)
    return None


def structure(name: str, scope: Scope) -> Link | None:
    """`@parent`, `@children` … within a tree. Of the DOM, only elements are children."""
    number = scope.hierarchy
    if number is None:
        return None
    elements = (("type", 1), ("pseudo", None)) if scope.name == "@dom" else ()
    inside, around = (number,), ("end",)
    other = Bound(inside, "<>", inside)
    below = (Bound(inside, "<", inside), Bound(around, ">", inside))
    above = (Bound(inside, ">", inside), Bound(inside, "<", around))
    return {
        "@parent": Link((CAPTURE, ("parent", number)), single=True),
        "@children": Link((CAPTURE, (number, "parent")), fixed=elements),
        "@siblings": Link((CAPTURE, ("parent", "parent")), (other,), elements),
        "@ancestor": Link(bounds=above),
        "@descendants": Link(bounds=below, fixed=elements),
    }[name]


_LEFT, _TOP, _RIGHT, _BOTTOM = ("x",), ("y",), ("x", "width"), ("y", "height")
_BESIDE = (Bound(_LEFT, "<", _RIGHT), Bound(_RIGHT, ">", _LEFT))  # they share some columns
_LEVEL = (Bound(_TOP, "<", _BOTTOM), Bound(_BOTTOM, ">", _TOP))  # they share some rows
_OTHER = Bound(("block",), "<>", ("block",))
_AROUND = (
    Bound(_LEFT, "<=", _LEFT),
    Bound(_TOP, "<=", _TOP),
    Bound(_RIGHT, ">=", _RIGHT),
    Bound(_BOTTOM, ">=", _BOTTOM),
)
_LAYOUTS = {
    "$above": Link(bounds=(Bound(_BOTTOM, "<=", _TOP), *_BESIDE, _OTHER)),
    "$left_of": Link(bounds=(Bound(_RIGHT, "<=", _LEFT), *_LEVEL, _OTHER)),
    "$contains": Link(bounds=(*_AROUND, _OTHER)),
    "$overlaps": Link(bounds=(*_BESIDE, *_LEVEL, _OTHER)),
}


def layout(name: str, scope: Scope) -> Link | None:
    """`$above`, `$left_of` … between two blocks of a page."""
    return _LAYOUTS.get(name) if scope.name == "@visual" else None
