"""Whether parts of a host are sections of one site or sites of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.analyses.menus.hosts import host_of

from webgeist.analyses.menus.lists import find_lists
from webgeist.analyses.menus.parts import Parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.menus.lists import Listed

STARTS = (0, 10, 20, 30)
Lists = list[tuple[str, "Sequence[int]"]]


def barred(*, logo: bool = False) -> dict[int, Lists]:
    """Four parts of ten pages with menus in the same place, below a bar that names them."""
    pages: dict[int, Lists] = {}
    for start in STARTS:
        for n in range(start, start + 10):
            pages[n] = [("div#bar", STARTS), ("nav#a", [start + at for at in range(4)])]
            if logo:
                pages[n].append(("p#logo", [start, start]))
    return pages


def compared(pages: dict[int, Lists]) -> tuple[Parts, Listed, list[Listed]]:
    host = host_of(pages)
    template = find_lists(host)
    bar, *others = [each for each in template.lists if len(each.items) >= 3]
    return Parts(host, template), bar, others


def undivided(_: Listed) -> bool:
    return False


def test_parts_with_a_menu_alone_are_no_sites() -> None:
    parts, bar, menus = compared(barred())
    assert len(menus) == len(STARTS)
    assert not parts.are_whole(bar, menus, undivided)


def test_parts_with_a_link_home_besides_are_sites() -> None:
    parts, bar, menus = compared(barred(logo=True))
    assert parts.are_whole(bar, menus, undivided)


def test_parts_with_menus_below_theirs_are_sites() -> None:
    parts, bar, menus = compared(barred())
    assert parts.are_whole(bar, menus, lambda _: True)


def test_two_parts_are_too_few_to_tell() -> None:
    parts, bar, menus = compared(barred(logo=True))
    assert not parts.are_whole(bar, menus[:2], undivided)


def test_a_list_that_leads_to_none_of_the_parts_is_no_list_of_sites() -> None:
    pages = barred(logo=True)
    for lists in pages.values():
        lists[0] = ("div#bar", [90, 91, 92, 93, 94])
    parts, bar, menus = compared(pages)
    assert not parts.are_whole(bar, menus, undivided)


def test_parts_refer_to_each_other_only_if_two_pages_do() -> None:
    pages = barred()
    for start in STARTS:
        pages[start + 5].append(("p#text", [(start + 17) % 40, start + 8]))
    parts, _, menus = compared(pages)
    assert not parts.hang_together(menus)
    for start in STARTS:
        pages[start + 7].append(("p#text", [(start + 18) % 40, start + 8]))
    parts, _, menus = compared(pages)
    assert parts.hang_together(menus)
