"""Menus that are shown as several lists, and lists that are menus of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.menus.hosts import BASE

from webgeist.analyses.menus.mining import mine_menus

if TYPE_CHECKING:
    from webgeist.analyses.menus.result import Menu, Mined


def host(menu: str, names: list[str], more: dict[str, str] | None = None) -> Mined:
    """Pages that all have one menu; some have more after it."""
    more = more or {}
    pages = {
        BASE + name: f"<body><div><div id=top>{menu}</div>{more.get(name, '')}</div></body>"
        for name in names
    }
    return mine_menus(pages.items())


def names(menu: Menu) -> list[str]:
    return [item.url.removeprefix(BASE) for item in menu.items]


def links(*names: str) -> str:
    return "".join(f'<li><a href="{BASE}{name}">{name}</a></li>' for name in names)


def test_lists_below_plain_words_are_parts_of_the_menu_in_the_order_of_display() -> None:
    menu = (
        f"<ul>{links('home')}<li><span>Docs</span><ul>{links('a', 'b')}</ul></li>"
        f"{links('news')}<li><span>More</span><ul>{links('c', 'd')}</ul></li></ul>"
    )
    found = host(menu, ["home", "a", "b", "news", "c", "d", "x"])
    assert names(found.menus[0]) == ["home", "a", "b", "news", "c", "d"]
    assert len(found.menus) == 1


def test_links_that_only_open_a_list_are_plain_words() -> None:
    menu = (
        f'<ul>{links("home", "news")}<li><a href="#">Docs</a><ul>{links("a", "b")}</ul></li></ul>'
    )
    found = host(menu, ["home", "a", "b", "news", "x"])
    assert names(found.menus[0]) == ["home", "news", "a", "b"]


def test_lists_below_an_item_are_menus_below_the_main_one() -> None:
    item = f'<li><a href="{BASE}docs">Docs</a><ul>{links("a", "b")}</ul></li>'
    found = host(f"<ul>{links('home', 'news')}{item}</ul>", ["home", "news", "docs", "a", "b"])
    main, below = found.menus
    assert names(main) == ["home", "news", "docs"]
    assert (names(below), below.parent, below.level) == (["a", "b"], main.id, 2)


def test_a_third_level_lies_below_the_second() -> None:
    deep = f'<li><a href="{BASE}a">a</a><ul>{links("i", "j")}</ul></li>'
    item = f'<li><a href="{BASE}docs">Docs</a><ul>{deep}{links("b")}</ul></li>'
    found = host(f"<ul>{links('home', 'news')}{item}</ul>", ["home", "news", "docs", "a", "b", "i"])
    by_names = {tuple(names(menu)): menu for menu in found.menus}
    assert by_names["i", "j"].parent == by_names["a", "b"].id
    assert by_names["i", "j"].level == 3


def test_the_highest_list_is_the_main_one_though_a_drop_down_is_larger() -> None:
    item = f'<li><a href="{BASE}docs">Docs</a><ul>{links("a", "b", "c", "d")}</ul></li>'
    found = host(f"<ul>{links('home')}{item}</ul>", ["home", "docs", "a", "b", "c", "d"])
    main = found.menus[found.sites[0].main_menu or 0]
    assert names(main) == ["home", "docs"]


def test_lists_with_names_of_their_own_below_one_element_are_one_menu() -> None:
    groups = [("one", ["home", "a", "b"]), ("two", ["c", "d"]), ("three", ["e", "f"])]
    menu = "".join(f"<ul id={name}>{links(*some)}</ul>" for name, some in groups)
    pages = [name for _, some in groups for name in some]
    assert names(host(menu, [*pages, "x"]).menus[0]) == pages


def test_a_list_that_leads_to_other_hosts_is_a_part_only_inside_the_menu() -> None:
    away = '<ul><li><a href="http://x.localhost/">X</a></li><li><a href="http://y.localhost/">Y</a></li></ul>'
    inside = f"<ul>{links('home', 'a', 'b')}<li><b>Elsewhere</b>{away}</li></ul>"
    assert len(host(inside, ["home", "a", "b", "c"]).menus[0].items) == 5
    beside = f"<ul>{links('home', 'a', 'b')}</ul>{away}"
    assert len(host(beside, ["home", "a", "b", "c"]).menus[0].items) == 3


def test_a_section_unfolds_among_the_items_of_the_main_menu() -> None:
    top, below = ["home", "a", "b", "c"], ["a1", "a2", "a3"]
    closed = f"<div><div id=top><ul>{links(*top)}</ul></div></div>"
    opened = closed.replace(links("b"), links(*below) + links("b"))
    pages = {BASE + name: closed for name in [*top, "d", "e"]}
    pages |= {BASE + name: opened for name in ["a", *below]}
    found = mine_menus(pages.items())
    assert [names(menu) for menu in found.menus] == [top, below]
    assert set(found.menus[1].pages) == {BASE + name for name in ["a", *below]}


def test_where_the_reader_is_does_not_matter() -> None:
    top = [f"p{n}" for n in range(8)]
    pages = {
        BASE + name: f'<div><ul class="menu {state}">{links(*top)}</ul><p>words</p></div>'
        for name, state in zip(top, ["active", "", "is-open", "item-current"] * 2, strict=True)
    }
    found = mine_menus(pages.items())
    assert [names(menu) for menu in found.menus] == [top]
    assert len(found.menus[0].pages) == 8


def test_an_item_that_is_also_of_another_sites_menu_belongs_to_both() -> None:
    pages: dict[str, str] = {}
    for site in "st":
        top = [f"{site}/{name}" for name in ("home", "a", "b", "c")]
        more = ["s/home"] if site == "t" else []
        html = f"<div><ul>{links(*top, *more)}</ul><p>words</p></div>"
        pages |= {BASE + name: html for name in [*top, f"{site}/d"]}
    found = mine_menus(pages.items())
    assert [len(site.pages) for site in found.sites] == [5, 5]
    assert sorted(names(menu) for menu in found.menus) == [
        ["s/home", "s/a", "s/b", "s/c"],
        ["t/home", "t/a", "t/b", "t/c", "s/home"],
    ]
