"""Pages and rule files as nobody should make them: clear answers, bounded work."""

from __future__ import annotations

import pytest
from tests.analyses.blocks.conftest import make_page
from tests.analyses.blocks.test_pagination import URL, Node, found

from webgeist.analyses.blocks.pagination import Pagination, page_pagination
from webgeist.analyses.blocks.rules.compiler import Source, compile_rules
from webgeist.analyses.blocks.rules.errors import RuleError

INTEREST = "node_of_interest(X) <- dom::clickable(X).\n"


def answer(nodes: list[Node]) -> Pagination:
    boxes = [(5.0 * (k % 200), 20.0 * (k // 200), 20.0, 15.0) for k in range(len(nodes))]
    return page_pagination(make_page(nodes, boxes), URL, (1280, 800))


def labels(answered: Pagination) -> list[str]:
    return [link.label for link in answered.links]


def test_twenty_thousand_links() -> None:
    many = [(f"Thing {k} with a name", f"/thing/{k}") for k in range(20_000)]
    answered = found([*many, ("2", "?page=2"), ("3", "?page=3"), ("Next", "?page=2")])
    assert [link.text for link in answered.links] == ["2", "3", "Next"]


def test_a_thousand_numbers() -> None:
    answered = found([(str(k), f"?page={k}") for k in range(2, 1000)])
    assert {link.label for link in answered.links} == {"page"}
    assert answered.next is not None
    assert answered.next.text == "2"


def test_pictures_alone() -> None:
    nodes: list[Node] = [("html", -1, None, {}), ("body", 0, None, {})]
    nodes += [("div", 1, None, {"class": "pagination"})]
    for name, alternative, number in (("back", "Previous", 1), ("on", "Next", 3)):
        nodes.append(("a", 2, None, {"href": f"?page={number}"}))
        nodes.append(("img", len(nodes) - 1, None, {"src": f"{name}.png", "alt": alternative}))
    boxes = [(5.0 * k, 20.0, 20.0, 15.0) for k in range(len(nodes))]
    answered = page_pagination(make_page(nodes, boxes), f"{URL}?page=2", (1280, 800))
    assert labels(answered) == ["previous", "next"]


def test_nothing_but_an_empty_document() -> None:
    assert answer([("html", -1, None, {})]).links == ()


def test_links_that_no_browser_could_follow() -> None:
    odd = ["", "http://[", "mailto:a@b.example", "data:text/html,2", "//", "?page=" + "9" * 5000]
    assert isinstance(found([(str(k), href) for k, href in enumerate(odd, 2)]), Pagination)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ("m::a(X, Y) <- dom::clickable(X).", "Y"),
        ("m::a(X) <- dom::clickable(X), not(m::b(X)). m::b(X) <- m::a(X).", "m::"),
        ("m::a(X) <- dom::clickable(X), m::a(X).", "m::a"),
        ("m::a(X) <- no::such(X).", "no::such"),
        ("m::a(X <- dom::clickable(X).", "<-"),
        ("INSTANTIATE nothing<M> USING <m>", "nothing"),
    ],
)
def test_rule_files_that_cannot_be_used_are_refused_with_the_place(rules: str, words: str) -> None:
    with pytest.raises(RuleError, match=words) as refused:
        compile_rules((Source("mine.beryl", INTEREST + rules),), "m")
    assert "mine.beryl:2:" in str(refused.value)


def test_templates_that_make_too_many_rules_are_refused() -> None:
    several = "{" + ", ".join(f"K{k}" for k in range(90)) + "}"
    template = (
        "TEMPLATE t<M, A, B> { <M>::t<A><B>(X) <- dom::clickable(X), "
        "gate::annotation(X, <A>, _), gate::annotation(X, <B>, _). }\n"
    )
    text = f"{template}INSTANTIATE t<M, A, B> USING <m, {several}, {several}>"
    with pytest.raises(RuleError, match="more than 5,000 rules"):
        compile_rules((Source("mine.beryl", INTEREST + text),), "m")
