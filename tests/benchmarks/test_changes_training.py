"""The model of changes can be made again, by the same pairs each time."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from benchmarks.changes_corpus import Article, Sample
from benchmarks.changes_folds import bags_of, folds
from benchmarks.changes_generated import generated
from benchmarks.changes_training import train
from tests.analyses.changes.pages import LAST, MORE, PROSE, page, passage

from webgeist.analyses.changes.compare import judge
from webgeist.analyses.changes.model import default_model, model_of

if TYPE_CHECKING:
    from pathlib import Path

MENU = passage("All about sport and games", tag="a", within=0, linked=1.0)
PAGE = page(MENU, PROSE, MORE, LAST)
ARTICLE = Article("http://paper.test/flood", PAGE, (PROSE, MORE, LAST), (MENU.text,))


def _terms() -> list[Sample]:
    """Twelve services, each with an edit of its terms and one of its menu."""
    found = []
    for number in range(12):
        said = page(MENU, *(f"{text} Part {number}." for text in (PROSE, MORE, LAST)))
        told = list(said.passages)
        other = replace(said, passages=(replace(MENU, text="All about the weather"), *told[1:]))
        edited = replace(
            said, passages=(*told[:2], passage("Nobody pays for this but the town"), told[3])
        )
        found.append(Sample(f"service {number}", "clean", True, said, edited))
        found.append(Sample(f"service {number}", "clean", False, said, other))
        found.append(Sample(f"service {number}", "doubtful", True, said, edited))
    return found


def _articles() -> list[Article]:
    return [replace(ARTICLE, url=f"http://paper{number}.test/flood") for number in range(12)]


def test_generated_pairs_are_the_same_each_time_and_edit_what_they_say() -> None:
    made = generated(_articles())
    assert [judge(s.before, s.after, default_model()) for s in made] == [
        judge(s.before, s.after, default_model()) for s in generated(_articles())
    ]
    assert {s.important for s in made} == {True, False}
    for sample in made:
        menus = [any(p == MENU for p in side.passages) for side in (sample.before, sample.after)]
        assert all(menus) == sample.important
        assert sample.service.startswith("paper")


def test_no_service_is_on_both_sides_of_a_fold() -> None:
    samples = [*_terms(), *generated(_articles())]
    seen: list[int] = []
    for _, unseen in folds(samples, bags_of(samples)):
        services = {samples[n].service for n in unseen}
        assert all((s.service in services) == (n in unseen) for n, s in enumerate(samples))
        seen += unseen
    assert sorted(seen) == list(range(len(samples)))


def test_the_model_that_is_written_is_the_one_of_the_card(tmp_path: Path) -> None:
    terms, made = _terms(), generated(_articles())
    figures = train(terms, made, tmp_path / "model.json")
    raw = json.loads((tmp_path / "model.json").read_text("utf-8"))
    train(terms, made, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "model.json").read_bytes()
    assert raw["card"]["figures"] == figures
    assert figures["auc"]["clean"][0] == 1.0
    assert (
        "36 pairs of versions of terms and policies of 12 services" in raw["card"]["learned from"]
    )
    model = model_of(raw)
    scores = [judge(s.before, s.after, model).score for s in terms[:2]]
    assert scores[0] > scores[1]


@pytest.mark.parametrize(
    "told", ["made by", "learned from", "split", "figures", "threshold", "known failures"]
)
def test_the_card_of_the_model_that_is_shipped_is_whole(told: str) -> None:
    model = default_model()
    assert model.card[told]
    assert str(model.threshold) in model.card["figures"]["threshold"]
