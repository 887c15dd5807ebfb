from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webgeist.analyses.menus.alignment import align, difference, matches
from webgeist.analyses.menus.tree import Path, Step

STEPS = st.builds(
    Step, st.sampled_from("abc"), st.sampled_from(("", "x")), st.sampled_from(("", "k"))
)
PATHS = st.lists(STEPS, min_size=1, max_size=5).map(tuple)


def path(*steps: str) -> Path:
    found = []
    for step in steps:
        name, _, named = step.partition("#")
        found.append(Step(name, named))
    return tuple(found)


def test_equal_paths_have_no_wildcards() -> None:
    signature = align([path("html", "ul#m")] * 3)
    assert signature.wildcards == 0
    assert str(signature) == "html > ul#m"


def test_what_differs_becomes_a_wildcard() -> None:
    signature = align([path("html", "ul#m"), path("html", "ul#n"), path("html", "ol#n")])
    assert str(signature) == "html > *#*"
    assert signature.wildcards == 2


def test_paths_of_different_lengths_agree_at_both_ends() -> None:
    signature = align([path("html", "div", "ul#m"), path("html", "div", "p", "ul#m")])
    assert str(signature) == "html > div > ... > ul#m"
    assert matches(signature, path("html", "div", "q", "ul#m"))
    assert not matches(signature, path("html", "div", "q", "ul#other"))


def test_a_signature_does_not_match_what_it_never_saw() -> None:
    signature = align([path("html", "ul#m"), path("html", "ul#n")])
    assert matches(signature, path("html", "ul#third"))
    assert not matches(signature, path("html", "ol#m"))


@given(st.lists(PATHS, min_size=1, max_size=5))
def test_a_signature_matches_all_that_made_it(paths: list[Path]) -> None:
    signature = align(paths)
    assert all(matches(signature, each) for each in paths)


@given(PATHS, PATHS)
def test_the_difference_is_none_only_between_equals(one: Path, other: Path) -> None:
    assert (difference(one, other) == 0) == (one == other)
