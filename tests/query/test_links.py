"""How the rows of two scopes belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.query.links import CAPTURE, layout, link, structure
from webgeist.query.operators import LAYOUT, STRUCTURE
from webgeist.query.schema import schema

if TYPE_CHECKING:
    from webgeist.query.scopes import Scope
    from webgeist.repository.release import Release


def _scopes(release: Release, *names: str) -> list[Scope]:
    known = schema(release)
    return [known.scope(name) for name in names]


@pytest.mark.parametrize(
    ("outer", "inner", "on", "same", "single"),
    [
        ("@page", "@dom", (CAPTURE,), False, False),
        ("@dom", "@page", (CAPTURE,), False, True),
        ("@dom", "@styles", (CAPTURE, ("node", "node")), True, True),
        ("@styles", "@dom", (CAPTURE, ("node", "node")), True, True),
        ("@dom", "@visual", (CAPTURE, ("node", "node")), False, False),
        ("@visual", "@dom", (CAPTURE, ("node", "node")), False, True),
        ("@visual", "@badges", (CAPTURE, ("block", "block")), False, True),
        ("@links", "@dom", (CAPTURE, ("node", "node")), False, True),
    ],
)
def test_rows_are_joined_by_what_they_share(
    release: Release, outer: str, inner: str, on: object, *, same: bool, single: bool
) -> None:
    found = link(*_scopes(release, outer, inner))
    assert found is not None
    assert (found.on, found.same, found.single) == (on, same, single)


def test_the_look_of_a_page_is_its_first_block(release: Release) -> None:
    page, visual = _scopes(release, "@page", "@visual")
    own, every = link(page, visual), link(page, visual, whole=True)
    assert own is not None
    assert every is not None
    assert (own.fixed, own.single) == ((("block", 0),), True)
    assert (every.fixed, every.single) == ((), False)


def test_texts_are_those_inside_a_node(release: Release) -> None:
    found = link(*_scopes(release, "@dom", "@text"))
    assert found is not None
    assert {bound.operator for bound in found.bounds} == {"<=", ">"}
    assert "end" in found.outer


def test_what_only_shares_a_page_does_not_belong_together(release: Release) -> None:
    assert link(*_scopes(release, "@resources", "@dom")) is None
    assert link(*_scopes(release, "@dom", "@badges")) is None


@pytest.mark.parametrize("name", STRUCTURE)
def test_trees_have_structure_and_others_none(release: Release, name: str) -> None:
    dom, visual, links = _scopes(release, "@dom", "@visual", "@links")
    in_dom, in_blocks = structure(name, dom), structure(name, visual)
    assert in_dom is not None
    assert in_blocks is not None
    assert structure(name, links) is None
    below = name in ("@children", "@descendants", "@siblings")
    assert bool(in_dom.fixed) == below  # of the DOM only elements
    assert not in_blocks.fixed


@pytest.mark.parametrize("name", LAYOUT)
def test_layout_is_between_blocks(release: Release, name: str) -> None:
    visual, dom = _scopes(release, "@visual", "@dom")
    found = layout(name, visual)
    assert found is not None
    assert ("block",) in [bound.outer for bound in found.bounds]  # no block is its own neighbour
    assert layout(name, dom) is None
