"""Descriptors: every number where the layout says it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from webgeist.analyses.features.descriptor import descriptor_analysis, descriptors, styles
from webgeist.analyses.features.layout import GIST, LENGTH, STYLES, Census, Choice, Layout, Scale
from webgeist.analyses.features.shape import SHAPE, shape
from webgeist.analyses.features.table import features

if TYPE_CHECKING:
    from tests.analyses.conftest import Looker

LAYOUT = Layout(
    1,
    1,
    (Scale("font-size", None, 10.0, 30.0), Scale("color", "r", 0.0, 255.0)),
    (Choice("display", ("block", "flex")), Choice("element", ("h1", "p"))),
)


def test_styles_are_scaled_and_chosen(look: Looker) -> None:
    page = look(
        "<p style='font-size:20px;color:rgb(51,0,0)'>a</p><h1 style='font-size:90px;display:grid'>b</h1>"
        "<p style='font-size:1px;display:flex'>c"
    ).page
    nodes = np.array([*page.find("p"), *page.find("h1")])
    found = styles(page, nodes, LAYOUT)[:, :8]
    assert found[0].tolist() == [0.5, pytest.approx(0.2), 1, 0, 0, 0, 1, 0]
    assert found[1].tolist() == [0, 0, 0, 1, 0, 0, 1, 0]
    assert found[2].tolist() == [1, 0, 0, 0, 1, 1, 0, 0]


def test_each_property_has_exactly_one_place_set(look: Looker) -> None:
    subject = look("<h1>Title</h1><p>Some <a href=/>words</a></p><img width=30 height=30>")
    census = Census()
    census.add(subject.page)
    layout = census.layout()
    found = styles(subject.page, subject.hierarchy.node, layout)
    place = len(layout.scales)
    for choice in layout.choices:
        assert (found[:, place : place + len(choice.values) + 1].sum(axis=1) == 1).all()
        place += len(choice.values) + 1
    assert (found[:, place:] == 0).all()


def test_a_descriptor_has_three_parts(look: Looker) -> None:
    subject = look("<h1>Title</h1><p>Some words</p><p style='background:red;height:90px'></p>")
    found = descriptors(subject, LAYOUT)
    assert found.shape == (len(subject.hierarchy), LENGTH) == (5, 1679)
    assert np.isfinite(found).all()
    assert (found[:, STYLES + GIST :] == shape(features(subject)).astype(np.float16)).all()
    assert found[2, STYLES : STYLES + GIST].std() > 0
    assert (found[:, STYLES + GIST :] <= 1).all()


def test_the_version_names_the_layout(look: Looker) -> None:
    analysis = descriptor_analysis(LAYOUT)
    assert LAYOUT.version in analysis.version
    rows = analysis.rows(look("<p>one"))
    assert rows.num_rows == 2
    assert len(rows["descriptor"][0]) == LENGTH


def test_a_page_without_blocks_has_no_descriptors(look: Looker) -> None:
    subject = look("<style>html{display:none}</style>words")
    assert descriptor_analysis(LAYOUT).rows(subject).num_rows == 0


def test_twenty_eight_numbers_of_shape() -> None:
    assert len(SHAPE) == 28
    assert len({each.name for each in SHAPE}) == 28
    assert all(each.rule for each in SHAPE)
