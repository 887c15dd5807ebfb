from __future__ import annotations

import pytest
from benchmarks.menus_campus import judge, plain
from benchmarks.menus_campus_pages import Campus
from benchmarks.menus_campus_sites import Known

AT = "http://a.campus.example/"


def made(items: list[str]) -> Campus:
    urls = [f"{AT}{name}" for name in ("", "one", "two", "three")]
    nav = "<nav>" + "".join(f'<a href="{url}">{url}</a>' for url in urls) + "</nav>"
    known = Known("a", True, items, urls)
    return Campus(dict.fromkeys(urls, nav), dict.fromkeys(urls, "a"), [known], {}, {}, "nothing")


@pytest.mark.parametrize(("names", "right"), [(["", "one", "two", "three"], 1), (["", "one"], 0)])
def test_a_main_menu_is_right_with_just_its_items(names: list[str], right: int) -> None:
    found = judge(made([AT + name for name in names]))
    assert (found["main"], found["main_right"], found["besides"]) == (1, right, 1 - right)
    assert found["adjusted"] == 1.0


@pytest.mark.parametrize(
    "url", ["HTTPS://A.org/x/", "http://a.org/x/index.html", "http://a.org/x#y"]
)
def test_these_are_written_otherwise_alone(url: str) -> None:
    assert plain(url) == "http://a.org/x"
