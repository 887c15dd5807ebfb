"""The list of inherited properties against a Chromium's own opinion."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.page.properties import INHERITED

if TYPE_CHECKING:
    from tests.conftest import Shooter, Studio


def test_the_halves_have_every_property_of_the_browser_once(
    studio: Studio, shoot_html: Shooter
) -> None:
    page = shoot_html("<p>words").page
    assert page is not None
    inherited = set(page.styles_inherited.column_names) - {"style", "nodes"}
    own = set(page.styles_own.column_names) - {"style", "nodes"}
    browser = studio.camera.places.browser
    assert browser is not None
    assert inherited == set(browser.properties) & INHERITED
    assert own == set(browser.properties) - INHERITED


def test_an_element_without_rules_takes_the_inherited_half_of_its_parent(
    shoot_html: Shooter,
) -> None:
    """Where those halves differ, the list holds a property that is not inherited."""
    page = shoot_html(
        "<p style='color:red;font-size:30px;direction:rtl;padding:9px'><span>words</span>"
    ).page
    assert page is not None
    paragraph, span = page.find("p")[0], page.find("span")[0]
    rows = page.nodes.column("style_inherited").to_pylist()
    assert rows[paragraph] == rows[span]
    own = page.nodes.column("style_own").to_pylist()
    assert own[paragraph] != own[span]
