"""Colours within a CIE distance, as DuckDB finds them and as OpenCV would, which rounds more."""

from __future__ import annotations

import math

import cv2
import duckdb
import numpy as np
import pytest
from sqlglot import exp

from webgeist.page.colours import Colour
from webgeist.query.nearness import distance_squared
from webgeist.query.scopes import Scope
from webgeist.query.sources import Source, Statement
from webgeist.query.values import lab

_SCOPE = Scope("@x", "", (), (), {})


def _distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    statement = Statement()
    channels: list[exp.Expr] = [statement.parameter(part) for part in one]
    source = Source(statement, _SCOPE, {})
    tree = distance_squared(channels, lab(Colour(*other, 1.0)), source)
    sql = exp.Select().select(tree).sql("duckdb")
    ((found,),) = duckdb.connect().execute(sql, statement.parameters).fetchall()
    return math.sqrt(found)


def _by_opencv(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    pixels = np.array([[one, other]], np.float32) / 255
    first, second = cv2.cvtColor(pixels, cv2.COLOR_RGB2LAB)[0]
    return float(np.linalg.norm(first - second))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ((0, 0, 0), (0, 0, 0)),
        ((255, 255, 255), (0, 0, 0)),
        ((255, 0, 0), (0, 255, 0)),
        ((51, 51, 51), (60, 40, 50)),
        ((1, 2, 3), (3, 2, 1)),
        ((10, 200, 90), (255, 254, 253)),
    ],
)
def test_the_distance_of_two_colours(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    assert _distance(one, other) == pytest.approx(_by_opencv(one, other), abs=0.3)
    assert _distance(one, other) == pytest.approx(_distance(other, one), abs=1e-6)
