from __future__ import annotations

from itertools import combinations

import pytest
from benchmarks.partitions import adjusted_rand, b_cubed, macro_f1, rand
from hypothesis import given
from hypothesis import strategies as st

TRUE = ["a"] * 6 + ["b"] * 5 + ["c"] * 3
LABELS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=12)


@pytest.mark.parametrize("figure", [rand, adjusted_rand, b_cubed, macro_f1])
def test_the_truth_itself_has_all_points(figure: object) -> None:
    assert figure([{"a": 7, "b": 8, "c": 9}[t] for t in TRUE], TRUE) == 1.0  # type: ignore[operator]


@pytest.mark.parametrize("found", [[0] * 14, list(range(14))])
def test_trivial_partitions_fail_somewhere(found: list[int]) -> None:
    assert adjusted_rand(found, TRUE) == pytest.approx(0.0)
    assert min(b_cubed(found, TRUE), macro_f1(found, TRUE)) < 0.7


@given(LABELS)
def test_rand_counts_pairs(pairs: list[tuple[int, int]]) -> None:
    found, true = [a for a, _ in pairs], [b for _, b in pairs]
    agree = [
        (found[i] == found[j]) == (true[i] == true[j])
        for i, j in combinations(range(len(pairs)), 2)
    ]
    assert rand(found, true) == pytest.approx(sum(agree) / len(agree))


@given(LABELS)
def test_b_cubed_averages_over_things(pairs: list[tuple[int, int]]) -> None:
    found, true = [a for a, _ in pairs], [b for _, b in pairs]
    precision = recall = 0.0
    for a, b in pairs:
        both = sum(p == (a, b) for p in pairs)
        precision += both / found.count(a) / len(pairs)
        recall += both / true.count(b) / len(pairs)
    assert b_cubed(found, true) == pytest.approx(2 * precision * recall / (precision + recall))


def test_macro_f1_looks_at_large_clusters_alone() -> None:
    found = [0] * 6 + [1] * 5 + [0, 1, 2]
    assert macro_f1(found, TRUE) == pytest.approx((12 / 13 + 10 / 11) / 2)


def test_a_known_value_of_the_adjusted_rand_index() -> None:
    assert adjusted_rand([0, 0, 1, 2], [0, 0, 1, 1]) == pytest.approx(0.5714, abs=1e-4)
