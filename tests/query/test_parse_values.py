"""What is said of one column, by the column's type."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from webgeist.errors import QueryError
from webgeist.query.parse_conditions import Conditions
from webgeist.query.schema import schema
from webgeist.query.tree import Among, And, Compare, Near, Not, Or, There

if TYPE_CHECKING:
    from webgeist.query.tree import Condition
    from webgeist.repository.release import Release


@pytest.fixture
def said(release: Release) -> Any:
    known = schema(release)

    def read(scope: str, where: Any) -> Condition:
        return Conditions(known).read(known.scope(scope), where, "$where")

    return read


def _shape(condition: Condition) -> Any:  # noqa: PLR0911 - one case each
    """A condition in few words: operators, names of columns, values."""
    match condition:
        case And(items) | Or(items):
            return (type(condition).__name__, *map(_shape, items))
        case Not(item):
            return ("Not", _shape(item))
        case Compare(column, operator, value):
            return (column.name, operator, value)
        case Among(column, values):
            return (column.name, values)
        case There(column):
            return ("There", column.name)
        case Near(within=within):
            return ("Near", within)
        case _:
            return condition


@pytest.mark.parametrize(
    ("scope", "where", "shape"),
    [
        ("@dom", {"depth": 3}, ("depth", "$eq", 3)),
        ("@dom", {"depth": None}, ("Not", ("There", "depth"))),
        ("@dom", {"depth": {"$eq": None}}, ("Not", ("There", "depth"))),
        ("@dom", {"depth": {"$ne": None}}, ("Not", ("Not", ("There", "depth")))),
        ("@dom", {"depth": [3, 4, 3]}, ("depth", (3, 4))),
        ("@dom", {"depth": {"$nin": [3]}}, ("Not", ("depth", (3,)))),
        ("@dom", {"depth": {"$exists": True}}, ("There", "depth")),
        (
            "@dom",
            {"depth": {"$between": [3, 4]}},
            ("And", ("depth", "$gte", 3), ("depth", "$lte", 4)),
        ),
        ("@dom", {"depth": {"gt": 3, "lt": 5}}, ("And", ("depth", "$gt", 3), ("depth", "$lt", 5))),
        ("@styles", {"font-size": "16px"}, ("font_size_px", "$eq", 16.0)),
        ("@styles", {"font-size": {"$gt": "1in"}}, ("font_size_px", "$gt", 96.0)),
        ("@styles", {"cursor": "auto"}, ("cursor", "$eq", "auto")),
        ("@styles", {"width": "auto"}, ("width", "$eq", "auto")),
        ("@styles", {"color": "currentcolor"}, ("color", "$eq", "currentcolor")),
        ("@styles", {"color": {"$near": "red"}}, ("Near", 10.0)),
        ("@styles", {"color": {"$near": {"colour": "red", "within": 3}}}, ("Near", 3)),
        ("@styles", {"color": {"$alpha": {"$lt": 1}}}, ("color_alpha", "$lt", 1.0)),
        (
            "@styles",
            {"color": "red"},
            (
                "And",
                ("color_r", "$eq", 255),
                ("color_g", "$eq", 0),
                ("color_b", "$eq", 0),
                ("color_alpha", "$eq", 1.0),
            ),
        ),
        ("@dom", {"attributes.data-x": "1"}, ("attributes.data-x", "$eq", "1")),
        ("@dom", {"page_id": "x"}, ("capture", "$eq", "x")),
    ],
)
def test_what_it_means(said: Any, scope: str, where: Any, shape: Any) -> None:
    assert _shape(said(scope, where)) == shape


def test_the_printed_or_of_two_bounds_is_a_range(said: Any) -> None:
    printed = said("@dom", {"depth": {"$or": [{"$gte": 3}, {"$lte": 5}]}})
    assert _shape(printed) == ("And", ("depth", "$gte", 3), ("depth", "$lte", 5))
    apart = said("@dom", {"depth": {"$or": [{"$lt": 3}, {"$gt": 5}]}})
    assert _shape(apart) == ("Or", ("depth", "$lt", 3), ("depth", "$gt", 5))


@pytest.mark.parametrize(
    ("scope", "where", "place", "words"),
    [
        ("@dom", {"depth": {}}, "$where.depth", "an operator is needed"),
        ("@dom", {"depth": []}, "$where.depth", "the list is empty"),
        ("@dom", {"depth": {"$in": 3}}, "$where.depth.$in", "a list is needed"),
        ("@dom", {"depth": {"$between": [1]}}, "$where.depth.$between", "two values"),
        ("@dom", {"depth": {"$exists": 1}}, "$where.depth.$exists", "true or false"),
        ("@dom", {"depth": {"$like": "1"}}, "$where.depth.$like", "is for texts"),
        ("@dom", {"depth": {"$near": "red"}}, "$where.depth.$near", "is no colour"),
        ("@dom", {"checked": {"$gt": True}}, "$where.checked.$gt", "not for true and false"),
        ("@dom", {"depth": [1, "x"]}, "$where.depth[1]", "a number is needed"),
        ("@dom", {"depth": list(range(10_001))}, "$where.depth", "10,000 items"),
        ("@styles", {"color": {"$gt": "red"}}, "$where.color.$gt", "not for colours"),
        ("@styles", {"color": {"$near": {"within": 3}}}, "$where.color.$near", "needs"),
        (
            "@styles",
            {"color": {"$near": {"colour": "red", "within": 401}}},
            "$where.color.$near",
            "from 0 to 400",
        ),
        ("@dom", {"depth": {"$gtt": 3}}, "$where.depth.$gtt", "no operator"),
        ("@dom", {"@children": {"$cnt": {}}}, "$where.@children.$cnt", "a comparison is needed"),
        ("@dom", {"@children": {"$cnt": -1}}, "$where.@children.$cnt.$eq", "from 0"),
        (
            "@dom",
            {"@children": {"$cnt": {"$like": 1}}},
            "$where.@children.$cnt.$like",
            "no operator",
        ),
    ],
)
def test_mistakes_have_a_place(said: Any, scope: str, where: Any, place: str, words: str) -> None:
    with pytest.raises(QueryError, match=words) as caught:
        said(scope, where)
    assert caught.value.where == place
