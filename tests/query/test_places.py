"""Places in a query, as errors name them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.errors import QueryError
from webgeist.query.places import SHOWN, at, column_of
from webgeist.query.schema import schema

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def test_places_read_as_in_the_query() -> None:
    assert at("", "$where") == "$where"
    assert at(at(at("$where", 0), "@styles"), "font-size") == "$where[0].@styles.font-size"


def test_a_long_name_is_shown_in_part() -> None:
    place = at("$where", "x" * 10_000)
    assert place.endswith("…")
    assert len(place) < 60
    assert at("$where", "x" * SHOWN) == f"$where.{'x' * SHOWN}"


def test_a_name_that_is_none_has_a_nearest(release: Release) -> None:
    dom = schema(release).scope("@dom")
    assert column_of(dom, "page_id", "$select[0]").name == "capture"
    with pytest.raises(QueryError, match="did you mean parent") as caught:
        column_of(dom, "parnet", "$select[0]")
    assert caught.value.where == "$select[0]"


def test_a_name_that_is_like_nothing_is_not_repeated_at_length(release: Release) -> None:
    with pytest.raises(QueryError) as caught:
        column_of(schema(release).scope("@dom"), "é" * 5_000, "$select")
    assert len(str(caught.value)) < 200
