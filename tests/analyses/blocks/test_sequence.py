"""The check over the whole page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from webgeist.analyses.blocks.link import Link
from webgeist.analyses.blocks.roles import role
from webgeist.analyses.blocks.sequence import check


def link(node: int, label: str = "page", **known: Any) -> Link:
    text = known.pop("text", str(node))
    notes = frozenset(known.pop("notes", {"NUMBER"}))
    target = known.pop("target", f"https://example.org/?page={node}")
    number = known.pop("number", float(node) if "NUMBER" in notes else None)
    given: dict[str, Any] = {
        "run": 0,
        "frame": "f",
        "word": "page",
        "page_word": True,
        "agrees": True,
        "near": True,
        "step": node - 1.0,
    }
    return Link(node, text, target, label, 1.0, notes, number, **(given | known))


def labels(links: list[Link]) -> list[str]:
    return [each.label for each in check(links)]


def test_a_sound_sequence_stays() -> None:
    assert labels([link(2), link(3), link(4)]) == ["page"] * 3


def test_a_number_between_pages_is_one() -> None:
    found = check([link(2), link(3, "none"), link(4)])
    assert [each.label for each in found] == ["page"] * 3
    assert "fits" in found[1].reasons[0]


def test_the_page_itself_and_disabled_items_are_none() -> None:
    assert labels([link(2, current=True), link(3), link(4)])[0] == "none"


def test_pages_of_threads_are_none_beside_the_lists_own() -> None:
    threads = [link(10 + k, frame=f"t{k}", near=False, step=None, run=k + 1) for k in range(3)]
    found = labels([link(2), link(3), *threads])
    assert found == ["page", "page", "none", "none", "none"]


def test_how_many_are_shown_is_no_page() -> None:
    sizes = [link(k, word="limit", page_word=False, number=k) for k in (10, 20, 50)]
    assert labels(sizes) == ["none"] * 3


def test_days_of_a_month_are_no_pages() -> None:
    days = [
        link(k, page_word=False, near=False, agrees=False, frame=None, target=None, scripted=True)
        for k in range(1, 31)
    ]
    assert set(labels(days)) == {"none"}


def test_two_next_links_to_different_places() -> None:
    words = {"NEXT", "NEXT_ONLY"}
    good = link(3, "next", notes=words, step=1.0)
    bad = link(
        900,
        "next",
        notes=words,
        run=9,
        near=False,
        agrees=False,
        page_word=False,
        step=None,
        frame="x",
    )
    assert labels([link(2, current=True), good, link(4), bad]) == ["none", "next", "page", "none"]


def test_an_arrow_one_page_on_is_next_whatever_was_learned() -> None:
    found = labels([link(2, "none", notes={"ARROW"}, number=None, step=1.0, agrees=False)])
    assert found == ["next"]


def test_dots_that_open_a_form_are_none() -> None:
    dots = link(
        9,
        notes={"ELLIPSIS", "HELD_PAGER"},
        target=None,
        frame=None,
        agrees=False,
        near=False,
        page_word=False,
        number=None,
    )
    assert labels([dots]) == ["none"]


def test_a_script_pager_is_read_by_its_holder() -> None:
    notes = {"NUMBER", "HELD_PAGER"}
    plain: dict[str, Any] = {
        "target": None,
        "frame": None,
        "agrees": False,
        "near": False,
        "page_word": False,
        "step": None,
    }
    numbers = [link(k, "none", notes=notes, number=float(k), **plain) for k in (1, 2, 3)]
    following = link(4, "none", notes={"NEXT", "NEXT_ONLY", "HELD_PAGER"}, number=None, **plain)
    assert labels([*numbers, following]) == ["page"] * 3 + ["next"]


def test_what_nothing_speaks_for_is_none() -> None:
    assert labels([link(7, notes=set(), run=None, near=False, frame=None)]) == ["none"]


def test_no_links_at_all() -> None:
    assert check([]) == []


def test_roles() -> None:
    assert role(link(3))[0] == "page"
    assert role(link(3, notes={"OLDER", "OLDER_ONLY"}, number=None, step=None))[0] == "next"
    assert role(link(3, notes={"OLDER"}, number=None, step=-1.0))[0] == "previous"
    assert (
        role(
            link(3, notes={"ARROW"}, number=None, step=None, signs=(("last", 1.5), ("next", 1.0)))
        )[0]
        == "last"
    )
    assert (
        role(link(3, notes={"MORE", "MORE_ONLY"}, number=None, step=None, near=False))[0]
        == "load-more"
    )
    assert role(link(3, notes={"FIRST_ONLY", "FIRST"}, number=None, step=-1.0))[0] == "first"


def _lone(text: str, label: str, *notes: str, **known: Any) -> Link:
    given = {"page_word": False, "agrees": False, "near": False, "step": None, "number": None}
    return link(9, label, text=text, notes=notes, **(given | known))


def test_arrows_of_a_calendar_are_none() -> None:
    for target in ("https://example.org/node?mini=2026-02", "https://example.org/2026/02/"):
        assert labels([_lone("»", "next", "ARROW", target=target)]) == ["none"]
    assert labels([_lone("Next month", "next", "NEXT", "TIME")]) == ["none"]


def test_a_dated_page_of_a_list_stays() -> None:
    target = "https://example.org/2026/02/page/2"
    assert labels([_lone("Next", "next", "NEXT", target=target)]) == ["next"]


def test_arrows_of_a_slider_are_none() -> None:
    assert labels([_lone("", "next", "OWN_NEXT", "LABEL_NEXT", target=None)]) == ["none"]
    held = _lone("", "none", "HELD_PAGER", "LABEL_NEXT", "LABEL_NEXT_ONLY", target=None)
    assert labels([held]) == ["none"]


def test_words_that_lead_to_several_places_are_none() -> None:
    more = [
        replace(
            _lone("More »", "next", "ARROW_BESIDE", "OWN_NEXT"),
            node=k,
            run=k,
            target=f"https://e.org/{k}",
        )
        for k in range(3)
    ]
    assert labels(more) == ["none"] * 3
    assert labels(more[:1]) == ["next"]


def test_older_posts_are_the_next_page_whatever_the_address() -> None:
    older = _lone("Older posts", "none", "OLDER", "OLDER_ONLY", "RESULTS")
    assert labels([older]) == ["next"]
    assert labels([_lone("Newer posts", "none", "NEWER", "NEWER_ONLY", "RESULTS")]) == ["previous"]


def test_a_name_of_any_list_does_not_make_a_first_page() -> None:
    assert labels([_lone("", "first", "OWN_FIRST", "PICTURE")]) == ["none"]


def test_what_stands_beside_pages_is_told_by_its_address() -> None:
    """A word of a language that no list knows, or a picture."""
    given: dict[str, Any] = {"label": "none", "notes": set(), "agrees": False, "run": None}
    before = link(9, **given, step=-1.0, page=1.0)
    after = link(10, **given, step=1.0, page=3.0)
    pages = [link(2, step=-1.0, page=1.0), link(4, step=1.0, page=3.0)]
    assert labels([before, *pages, after]) == ["previous", "page", "page", "next"]
    elsewhere = replace(after, frame="g")
    assert labels([before, *pages, elsewhere])[-1] == "none"


def test_words_that_speak_of_pages_are_enough() -> None:
    given: dict[str, Any] = {"near": False, "page_word": False, "agrees": False, "step": None}
    plain = link(7, "none", text="next page", notes={"NEXT", "NEXT_ONLY", "PAGE"}, **given)
    assert labels([plain]) == ["next"]
    word = replace(plain, notes=frozenset({"NEXT", "NEXT_ONLY"}))
    assert labels([word]) == ["none"]
    assert labels([replace(word, path="same")]) == ["next"]
    assert labels([replace(plain, notes=plain.notes | {"HELD_ASIDE"})]) == ["none"]


def test_an_end_of_the_pager_is_no_second_next() -> None:
    arrows = [
        link(3, "next", notes={"ARROW"}, step=1.0, agrees=False),
        link(20, "next", notes={"ARROW"}, step=18.0, agrees=False),
    ]
    assert labels([link(2, step=0.5), *arrows])[1:] == ["next", "last"]


def test_numbers_from_one_on_without_anything_else_are_no_pages() -> None:
    """Matchdays, answers: in a pager, this page's own number is no link."""
    given: dict[str, Any] = {"page_word": False, "word": "matchday", "near": False, "step": None}
    days = [link(k, **given) for k in (1, 2, 3, 4)]
    assert labels(days) == ["none"] * 4
    assert labels([*days[:1], *days[2:]]) == ["page"] * 3
    arrow = link(9, "next", notes={"ARROW"}, signs=(("next", 2.5),), **(given | {"agrees": False}))
    assert labels([*days, arrow])[:4] == ["page"] * 4


def test_arrows_without_an_address_below_each_of_several_lists_are_none() -> None:
    notes = {"OWN_NEXT", "OWN_PAGER"}
    arrows = [link(k, "next", text="", target=None, notes=notes, run=k) for k in range(1, 4)]
    assert labels(arrows[:2]) == ["next"] * 2
    assert labels(arrows) == ["none"] * 3


def test_back_to_something_else_is_none() -> None:
    back: dict[str, Any] = {
        "notes": {"PREVIOUS", "ALL", "HELD_PAGER"},
        "near": False,
        "text": "Back to the shelf",
    }
    assert labels([link(2, "previous", **back)]) == ["none"]
    assert labels([link(2, "previous", **back | {"near": True})]) == ["previous"]


def test_pages_in_a_menu_and_those_of_a_thread_are_none_where_they_stand_alone() -> None:
    other: dict[str, Any] = {"near": False, "step": None}
    assert labels([link(k, **other) for k in (1, 2, 3)]) == ["none"] * 3
    assert labels([link(k, **other) for k in (4, 5, 6)]) == ["none"] * 3
    arrow = link(7, "next", notes={"NEXT"}, number=None, **other)
    assert labels([*(link(k, **other) for k in (4, 5, 6)), arrow]) == [*["page"] * 3, "next"]


def test_what_says_next_of_a_page_of_this_path_is_next_wherever_it_stands() -> None:
    aside: dict[str, Any] = {
        "notes": {"NEXT", "NEXT_ONLY", "HELD_ASIDE"},
        "path": "same",
        "near": False,
    }
    hidden = link(2, "none", agrees=False, step=None, run=None, **aside)
    assert labels([hidden]) == ["next"]
    assert labels([replace(hidden, page_word=False)]) == ["none"]


def test_the_ends_of_several_lists_are_the_last_pages_of_each() -> None:
    end = {"text": "last", "notes": {"LAST", "LAST_ONLY"}, "near": False}
    ends = [link(30 + k, "last", run=k, frame=f"f{k}", **end) for k in range(3)]
    assert labels(ends) == ["none"] * 3
    pages = [link(2 + k, run=k, frame=f"f{k}") for k in range(3)]
    assert labels([*pages, *ends])[3:] == ["last"] * 3


def test_a_form_of_address_for_each_number_is_one_list() -> None:
    held = {"NUMBER", "HELD_PAGER"}
    pages = [link(k, frame=f"page={{}}&start={20 * k}", near=False, notes=held) for k in (2, 3, 4)]
    assert labels(pages) == ["page"] * 3
    threads = [replace(each, run=each.node) for each in pages]
    assert labels(threads) == ["none"] * 3
