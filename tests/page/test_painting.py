"""What is seen of each node, on pages that Chromium laid out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from webgeist.page.painting import painting

if TYPE_CHECKING:
    from tests.conftest import Shooter

    from webgeist.page.model import Page
    from webgeist.page.painting import Painting


class Shown:
    """A page, its painting, and the node that a test calls `x`."""

    def __init__(self, page: Page | None) -> None:
        assert page is not None
        self.page: Page = page
        self.painting: Painting = painting(page)

    def node(self, id_: str = "x") -> int:
        (node,) = np.flatnonzero(self.page.with_attribute("id", id_))
        return int(node)

    def box(self, id_: str = "x") -> list[float]:
        box: list[float] = self.painting.seen[self.node(id_)].tolist()
        return box


@pytest.mark.parametrize(
    ("why", "html"),
    [
        ("display", "<p id=x style='display:none'>a"),
        ("visibility", "<p id=x style='visibility:hidden'>a"),
        ("opacity", "<p id=x style='opacity:0'>a"),
        ("opacity above", "<div style='opacity:0'><p id=x>a</div>"),
        ("no height", "<p id=x style='height:0;overflow:hidden'>a"),
        ("off the page", "<p id=x style='position:absolute;left:-999px;width:99px'>a"),
        (
            "scrolled away",
            "<div style='overflow:hidden;height:20px'><p id=x style='margin-top:50px'>a",
        ),
        ("for readers", "<p id=x style='position:absolute;clip:rect(0,0,0,0)'>a"),
        ("for readers, by path", "<p id=x style='clip-path:inset(50%)'>a"),
        ("folded", "<details><summary>s</summary><p id=x>a</details>"),
    ],
)
def test_what_cannot_be_seen_has_no_area(shoot_html: Shooter, why: str, html: str) -> None:
    shown = Shown(shoot_html(f"<body>{html}").page)
    assert not shown.painting.visible[shown.node()], why
    assert not shown.painting.paints[shown.node()], why


def test_a_clip_cuts_what_is_in_it_and_not_what_is_placed_elsewhere(shoot_html: Shooter) -> None:
    shown = Shown(
        shoot_html(
            "<body style='margin:0'><div style='overflow:hidden;width:100px;height:50px'>"
            "<p id=flow style='margin:0;width:300px;height:300px'>a</p>"
            "<p id=absolute style='position:absolute;margin:0;top:0;width:300px;height:300px'>a</p>"
            "<p id=fixed style='position:fixed;margin:0;top:0;left:0;width:200px;height:200px'>a</p>"
            "</div><div style='position:relative;overflow:hidden;width:100px;height:50px'>"
            "<p id=held style='position:absolute;margin:0;top:0;left:0;width:300px;height:300px'>a"
        ).page
    )
    assert shown.box("flow") == [0, 0, 100, 50]
    assert shown.box("absolute") == [0, 0, 300, 300]
    assert shown.box("fixed") == [0, 0, 200, 200]
    assert shown.box("held") == [0, 50, 100, 100]


def test_a_frame_cuts_its_document(shoot_html: Shooter) -> None:
    shown = Shown(
        shoot_html(
            "<body style='margin:0'><iframe style='border:0;width:100px;height:60px' "
            "srcdoc=\"<body style='margin:0'><p id=x style='margin:0;height:500px'>a\"></iframe>"
        ).page
    )
    assert shown.box() == [0, 0, 100, 60]


@pytest.mark.parametrize(
    ("style", "paints"),
    [
        ("", False),
        ("background:#eee", True),
        ("background:transparent", False),
        ("background:linear-gradient(red,blue)", True),
        ("border:1px solid red", True),
        ("border:1px solid transparent", False),
        ("border:0 solid red", False),
        ("box-shadow:0 0 3px red", True),
        ("outline:1px solid red", True),
    ],
)
def test_a_box_paints_by_its_own_style_alone(shoot_html: Shooter, style: str, paints: bool) -> None:
    page = shoot_html(f"<body><div id=x style='height:20px;{style}'></div>").page
    shown = Shown(page)
    assert shown.painting.paints[shown.node()] == paints


def test_text_paints_only_where_there_are_letters(shoot_html: Shooter) -> None:
    shown = Shown(shoot_html("<body><p style='background:red'>a<b> </b> <i>b</i>").page)
    texts = shown.page.type == 3
    said = [shown.page.texts[n] for n in np.flatnonzero(texts & shown.painting.paints)]
    assert said == ["a", "b"]
    assert not (shown.painting.opaque & texts).any()  # the paragraph's colour is not theirs


def test_order_follows_painting_and_layers_follow_fixed_places(shoot_html: Shooter) -> None:
    shown = Shown(
        shoot_html(
            "<body><div id=top style='position:fixed;z-index:9'><b id=inner>a</b></div>"
            "<p id=later>b</p>"
        ).page
    )
    order, layer = shown.painting.order, shown.painting.layer
    assert order[shown.node("top")] > order[shown.node("later")]
    assert order[shown.node("inner")] > order[shown.node("top")]
    assert layer[shown.node("inner")] == layer[shown.node("top")] == shown.node("top")
    assert layer[shown.node("later")] == -1
