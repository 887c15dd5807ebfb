"""Learning, and how good it is on sites that were left out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from webgeist.analyses.blocks import training
from webgeist.analyses.blocks.labels import read_labels, registered
from webgeist.analyses.blocks.model import read_model
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from pathlib import Path


def make(rows: int = 200) -> training.Examples:
    random = np.random.default_rng(1)
    values = random.random((rows, 3)).astype(np.float32)
    site = np.array([f"site{k % 12}.org" for k in range(rows)])
    return training.Examples(
        ("size<a>", "place_x", "noise"), values, values[:, 0] > 0.5, site, np.arange(rows)
    )


@pytest.mark.parametrize("kind", training.KINDS)
def test_what_can_be_told_is_learned(kind: str) -> None:
    examples = make()
    model = training.learn(examples, "m", "digest", kind)
    assert ((model.score(examples.values) >= 0.5) == examples.wanted).mean() > 0.97
    assert read_model(model.to_json(), "x") == model


def test_no_site_is_in_two_parts() -> None:
    site = make().site
    parts = list(training.folds(site))
    assert sum(part.sum() for part in parts) == len(site)
    assert all(
        not set(site[one]) & set(site[two]) for one in parts for two in parts if one is not two
    )


def test_left_out_rows_are_judged_by_others() -> None:
    examples = make()
    found = training.quality(
        examples.wanted, training.left_out(examples, "tree") >= 0.5, examples.site
    )
    value, low, high = found.f1
    assert 0.9 < low <= value <= high <= 1


def test_doubtful_rows_are_not_learned_from() -> None:
    examples = make()
    wrong = examples.values[:, 0] < 0.2
    doubted = training.Examples(
        examples.names,
        examples.values,
        examples.wanted | wrong,
        examples.site,
        examples.page,
        wrong,
    )
    model = training.learn(doubted, "m", "digest")
    assert model.score(np.array([[0.1, 0.5, 0.5]], np.float32))[0] < 0.5


def test_families_are_templates_or_first_words() -> None:
    assert training.families(["by<A>", "by<B>", "run_size", "run_place", "rel<x>.horizontal"]) == {
        "by": ["by<A>", "by<B>"],
        "run": ["run_size", "run_place"],
        "rel": ["rel<x>.horizontal"],
    }


def test_the_family_that_matters_is_missed() -> None:
    without = training.contributions(make(), "tree", {"size": ["size<a>"], "noise": ["noise"]})
    assert without["size"].f1[0] < 0.75 < without["noise"].f1[0]


def test_examples_that_are_all_alike_are_refused() -> None:
    examples = make()
    alike = training.Examples(
        examples.names, examples.values, np.zeros(200, bool), examples.site, examples.page
    )
    with pytest.raises(UsageError, match="nothing to learn"):
        training.learn(alike, "m", "digest")


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(UsageError, match="one of tree, forest"):
        training.learn(make(), "m", "digest", "magic")


def test_labels(tmp_path: Path) -> None:
    file = tmp_path / "labels.jsonl"
    file.write_text(
        '{"target": "a.html", "url": "https://x.example.co.uk/", "nodes": ["/html"]}\n\n'
    )
    (labelled,) = read_labels(file)
    assert (labelled.site, labelled.nodes, labelled.ignore) == ("example.co.uk", ("/html",), ())
    assert registered("http://localhost/") == "localhost"
    file.write_text('{"url": 1}')
    with pytest.raises(UsageError, match=r"labels.jsonl:1 is no label"):
        read_labels(file)
