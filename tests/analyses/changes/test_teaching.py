"""What follows from teachings."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.analyses.changes.pages import LAST, MORE, PROSE, page, passage

from webgeist.analyses.changes.addresses import Address
from webgeist.analyses.changes.compare import judge
from webgeist.analyses.changes.masks import Mask
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.teaching import Lesson, Schooled, Taught, Teaching, calibration
from webgeist.analyses.changes.types import Place, Type

ARTICLE = Place.CONTENT, Type.ARTICLE


def _teaching(
    *masks: Mask, important: bool = False, chance: float = 0.9, id_: str = "t"
) -> Teaching:
    lessons = (Lesson(*ARTICLE, chance, "", masks),)
    return Teaching(id_, 0.0, False, "u", "a", "b", important, lessons)


def _school(*teachings: Teaching, names: tuple[str, ...] = (".x",)) -> Schooled:
    places = [Address(names, 1, "", frozenset())] * 3
    return Schooled(Taught(teachings), places, places)


OLD = page(PROSE, MORE, LAST)
NEW = page(PROSE.replace("three", "five"), MORE, LAST)
DATED = tuple(page(PROSE, MORE, passage(f"© {year} The paper", within=0)) for year in (2024, 2025))


def test_what_is_taught_to_be_unimportant_raises_no_alarm() -> None:
    assert judge(OLD, NEW, default_model()).important
    change = judge(OLD, NEW, default_model(), _school(_teaching(Mask(".x"))))
    assert not change.important
    assert change.reason.endswith("as taught: 1 passage unimportant (t)")


def test_what_is_taught_to_be_important_always_does() -> None:
    assert not judge(DATED[0], DATED[1], default_model()).important
    change = judge(
        DATED[0], DATED[1], default_model(), _school(_teaching(Mask(".x"), important=True))
    )
    assert change.important
    assert "as taught: 1 passage important (t)" in change.reason


def test_a_newer_teaching_outweighs_an_older_one() -> None:
    teachings = _teaching(Mask(".x"), id_="old"), _teaching(Mask(".x"), important=True, id_="new")
    assert judge(OLD, NEW, default_model(), _school(*teachings)).important
    assert not judge(OLD, NEW, default_model(), _school(*reversed(teachings))).important


def test_elsewhere_one_teaching_moves_little() -> None:
    school = _school(_teaching(Mask(".y")))
    change, untaught = judge(OLD, NEW, default_model(), school), judge(OLD, NEW, default_model())
    assert change.important
    assert change.score < untaught.score
    assert change.reason.endswith("as taught: 1 passage calibrated")


def test_many_teachings_about_a_kind_of_block_decide_about_it() -> None:
    school = _school(*[_teaching(Mask(".y"))] * 30)
    assert not judge(OLD, NEW, default_model(), school).important


def test_nothing_taught_changes_nothing() -> None:
    assert judge(OLD, NEW, default_model(), _school()) == judge(OLD, NEW, default_model())


def test_a_calibration_is_where_the_evidence_balances_the_prior() -> None:
    """At the maximum the derivative of the posterior is zero: b = variance * sum(label - chance)."""
    teachings = [
        _teaching(chance=0.8),
        _teaching(chance=0.3),
        _teaching(chance=0.4, important=True),
    ]
    shift = calibration(teachings)[ARTICLE]
    moved = [1 / (1 + (1 - c) / c * 2.718281828459045**-shift) for c in (0.8, 0.3, 0.4)]
    assert shift == pytest.approx((1 - sum(moved)) / 4, abs=1e-4)


@given(st.lists(st.tuples(st.floats(0, 1), st.booleans()), min_size=1, max_size=40))
def test_a_calibration_goes_the_way_that_was_taught(said: list[tuple[float, bool]]) -> None:
    shift = calibration([_teaching(chance=c, important=yes) for c, yes in said])[ARTICLE]
    assert abs(shift) <= len(said)
    if all(yes for _, yes in said):
        assert shift >= 0
    if not any(yes for _, yes in said):
        assert shift <= 0


def test_one_mark_against_a_sure_chance_moves_odds_by_less_than_one() -> None:
    shift = calibration([_teaching(chance=0.99)])[ARTICLE]
    assert -1 < shift < 0
    assert log(0.99 / 0.01) + shift > log(0.9 / 0.1)
