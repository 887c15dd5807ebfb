"""Learning trees from labelled rows, and how good they are on sites that were left out.

Needs scikit-learn (`pip install "webgeist[learn]"`). What it makes is JSON and needs nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from webgeist.analyses.blocks.model import Model, Tree
from webgeist.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

KINDS = ("tree", "forest")
FOLDS = 10
_SEED = 0
_ROUNDS = 1000  # of the bootstrap


@dataclass(frozen=True, eq=False)
class Examples:
    """Rows of many pages: features, whether each is of the type, and its site and page."""

    names: tuple[str, ...]
    values: NDArray[np.float32]
    wanted: NDArray[np.bool_]
    site: NDArray[np.str_]
    page: NDArray[np.int64]
    doubtful: NDArray[np.bool_] | None = None  # rows to give a score, but not to learn from

    def learnable(self) -> Examples:
        """Those that are learned from."""
        if self.doubtful is None:
            return self
        keep = ~self.doubtful
        site, page = self.site[keep], self.page[keep]
        return Examples(self.names, self.values[keep], self.wanted[keep], site, page)

    def without(self, columns: Sequence[str]) -> Examples:
        keep = [k for k, name in enumerate(self.names) if name not in set(columns)]
        names = tuple(self.names[k] for k in keep)
        values = self.values[:, keep]
        return Examples(names, values, self.wanted, self.site, self.page, self.doubtful)


@dataclass(frozen=True)
class Quality:
    """Precision, recall and F1, each with a 95% interval by drawing sites again and again."""

    precision: tuple[float, float, float]
    recall: tuple[float, float, float]
    f1: tuple[float, float, float]


def learn(examples: Examples, block_type: str, rules: str, kind: str = "tree") -> Model:
    """A model of all examples. UsageError where there is nothing to tell apart."""
    examples = examples.learnable()
    if examples.wanted.all() or not examples.wanted.any():
        raise UsageError("all examples are alike: there is nothing to learn from them")
    trees = tuple(_tree(each) for each in _fit(examples.values, examples.wanted, kind))
    return Model(block_type, examples.names, trees, rules)


def left_out(examples: Examples, kind: str) -> NDArray[np.float64]:
    """The score of each row by a model that has seen nothing of its site."""
    scores = np.zeros(len(examples.wanted))
    sure = ~examples.doubtful if examples.doubtful is not None else True
    for test in folds(examples.site):
        wanted = examples.wanted[~test & sure]
        if wanted.any() and not wanted.all():
            model = learn_rows(examples, ~test & sure, kind)
            scores[test] = model.score(examples.values[test])
    return scores


def learn_rows(examples: Examples, rows: NDArray[np.bool_], kind: str) -> Model:
    trees = (_tree(each) for each in _fit(examples.values[rows], examples.wanted[rows], kind))
    return Model("", examples.names, tuple(trees), "")


def folds(site: NDArray[np.str_]) -> Iterator[NDArray[np.bool_]]:
    """Whole sites, the largest first, each into the part that has the fewest rows."""
    sizes = Counter(site.tolist())
    part: dict[str, int] = {}
    load = [0] * min(FOLDS, max(2, len(sizes)))
    for name, size in sorted(sizes.items(), key=lambda item: (-item[1], item[0])):
        smallest = load.index(min(load))
        part[name] = smallest
        load[smallest] += size
    number = np.array([part[name] for name in site.tolist()])
    for each in range(len(load)):
        if (number == each).any():
            yield number == each


def quality(wanted: NDArray[np.bool_], found: NDArray[np.bool_], site: NDArray[np.str_]) -> Quality:
    """How many of the found are wanted, and how many of the wanted are found."""
    names, number = np.unique(site, return_inverse=True)
    counts = np.zeros((len(names), 3))
    for column, those in enumerate((wanted & found, found & ~wanted, wanted & ~found)):
        counts[:, column] = np.bincount(number, weights=those, minlength=len(names))
    random = np.random.default_rng(_SEED)
    draws = (random.integers(0, len(names), len(names)) for _ in range(_ROUNDS))
    table = np.array([_rates(counts.sum(0)), *(_rates(counts[draw].sum(0)) for draw in draws)])
    low, high = np.percentile(table[1:], [2.5, 97.5], axis=0)
    told = [
        (round(float(table[0, k]), 4), round(float(low[k]), 4), round(float(high[k]), 4))
        for k in range(3)
    ]
    return Quality(*told)


def _rates(counts: NDArray[np.float64]) -> tuple[float, float, float]:
    both, false, missed = counts
    precision = both / (both + false) if both + false else 1.0
    recall = both / (both + missed) if both + missed else 1.0
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


def families(names: Sequence[str]) -> dict[str, list[str]]:
    """Features by the template or the first word of their names."""
    found: dict[str, list[str]] = {}
    for name in names:
        stem = name.partition("<")[0].partition(".")[0]
        family = stem if "<" in name else stem.partition("_")[0]
        found.setdefault(family, []).append(name)
    return found


def contributions(
    examples: Examples, kind: str, groups: Mapping[str, Sequence[str]]
) -> dict[str, Quality]:
    """The quality with each family removed in turn."""
    found = {}
    for name, columns in groups.items():
        rest = examples.without(columns)
        if rest.names:
            scores = left_out(rest, kind)
            found[name] = quality(examples.wanted, scores >= 0.5, examples.site)
    return found


def _fit(values: NDArray[np.float32], wanted: NDArray[np.bool_], kind: str) -> list[Any]:
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.tree import DecisionTreeClassifier
    except ModuleNotFoundError as error:
        raise UsageError(
            "learning needs scikit-learn", remedy='pip install "webgeist[learn]"'
        ) from error
    if kind == "tree":
        return [DecisionTreeClassifier(min_samples_leaf=3, random_state=_SEED).fit(values, wanted)]
    if kind == "forest":
        forest = RandomForestClassifier(
            30, min_samples_leaf=2, max_features=0.3, random_state=_SEED
        )
        return list(forest.fit(values, wanted).estimators_)
    raise UsageError(f"there is no kind of model {kind}", remedy=f"one of {', '.join(KINDS)}")


def _tree(learned: Any) -> Tree:
    tree = learned.tree_
    shares = tree.value[:, 0, :]
    positive = list(learned.classes_).index(1)
    return Tree(
        feature=[int(each) if each >= 0 else -1 for each in tree.feature],
        threshold=[
            float(each) if k >= 0 else 0.0
            for each, k in zip(tree.threshold, tree.feature, strict=True)
        ],
        left=[int(each) for each in tree.children_left],
        right=[int(each) for each in tree.children_right],
        value=[round(float(each), 4) for each in shares[:, positive] / shares.sum(1)],
        rows=[int(each) for each in tree.n_node_samples],
    )
