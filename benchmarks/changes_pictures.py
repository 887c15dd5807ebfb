"""Screenshots alone: webgeist's model for pictures, the paper's four networks, pixel differences.

Pairs of terms and of histories whose versions were rendered with their picture; split by company
and repository. Networks need PyTorch. A picture takes some seconds, and so `--short` has some only.
"""

from __future__ import annotations

import asyncio
import csv
import json
import random
from collections import Counter
from dataclasses import dataclass, replace
from math import sqrt
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.linear_model import LogisticRegression

from benchmarks import changes_attention, studio
from benchmarks.changes_attention import Lesson, accuracy, answers, cells_of, export, taught
from benchmarks.changes_cache import Cache
from benchmarks.changes_corpus import PORTRAYING, corpus, service_of
from benchmarks.changes_folds import set_aside, spread
from benchmarks.changes_histories import MOST, histories
from benchmarks.changes_learning import Subject, learn
from webgeist.analyses.changes import attention
from webgeist.analyses.changes import sketch as sketch_
from webgeist.analyses.changes.attention import means, reduced
from webgeist.analyses.changes.logistic import best_odds
from webgeist.analyses.changes.model import as_learned
from webgeist.analyses.changes.portrait import Portrait, portrait
from webgeist.analyses.changes.sketch import TALLEST, WIDEST, sketch
from webgeist.analyses.changes.sketch_evidence import NAMES, differences
from webgeist.analyses.changes.vicd import pictures
from webgeist.analyses.changes.vicd.pictures import Example, small
from webgeist.capture.camera import Camera
from webgeist.capture.target import Target, parse_target

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from webgeist.analyses.changes.model import Model
    from webgeist.analyses.changes.sketch import Sketch
    from webgeist.capture.screenshot import Screenshot

    Floats = NDArray[np.floating[Any]]

FOLDS = 5
_SHORT = 4  # one of so many documents
MANY = 20  # words of a history that changed for sure
NOTHING = Portrait((), 1.0, 1.0, "", 16.0, (0.0, 0.0, 0.0, 0.0))
_COLUMN = {name: number for number, name in enumerate(NAMES)}
# What a look depends on.
_LOOKING = (*PORTRAYING, changes_attention, attention, sketch_, pictures)


@dataclass(frozen=True, eq=False)
class Look:
    """What is kept of a picture: for us, for VICD, for a difference of pixels and for our network,
    which cells are content.
    """

    sketch: Sketch  # without attention: each fold has a network of its own
    small: NDArray[np.float32]
    grey: NDArray[np.uint8]
    cells: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Pair:
    """`kind` is terms or histories; of a history, `words` changed."""

    kind: str
    group: str
    important: bool
    words: int
    names: tuple[str, str]
    before: Look
    after: Look


def look(shot: Screenshot, page: Portrait | None) -> Look:
    pixels, _ = shot.pixels(max(1, shot.info.width * shot.info.height // 4))
    grey, by = shot.grey(WIDEST, TALLEST)
    tiny = reduced(grey)
    cells = cells_of(page or NOTHING, len(tiny))
    return Look(sketch(grey, by, blind), small(pixels), tiny, cells)


def blind(grey: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Attention to nothing."""
    return np.zeros((1, grey.shape[1]), np.float32)


def pairs(*, short: bool) -> list[Pair]:
    """Clean pairs of terms, and pairs of histories; or those of every fourth document, and of each
    repository one with changed words and one without.
    """
    folder = corpus("changes/terms/pairs.csv")
    chosen = _terms(folder, short=short)
    files = {f"{d}--{f}": folder / d / f for d, *both, _ in chosen for f in both}
    known, targets = histories(1 if short else MOST)
    every: dict[str, Target] = {n: parse_target(str(path)) for n, path in sorted(files.items())}
    seen = asyncio.run(_looks({**every, **targets}))
    found = []
    for document, a, b, important in chosen:
        names = f"{document}--{a}", f"{document}--{b}"
        found.append(("terms", service_of(document), important, 0, names))
    found += [("histories", p.repository, p.words > 0, p.words, p.names) for p in known]
    return [
        Pair(kind, group, important, words, names, seen[names[0]], seen[names[1]])
        for kind, group, important, words, names in found
        if names[0] in seen and names[1] in seen
    ]


def _terms(folder: Path, *, short: bool) -> list[tuple[str, str, str, bool]]:
    with (folder / "pairs.csv").open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["status"] == "clean"]
    if short:
        some = set(sorted({row["document"] for row in rows})[::_SHORT])
        rows = [row for row in rows if row["document"] in some]
    return [(row["document"], row["a"], row["b"], row["important"] == "1") for row in rows]


async def _looks(targets: Mapping[str, Target]) -> dict[str, Look]:
    """What is kept of each picture; without any where the page has none."""
    cache = Cache("looks", _LOOKING)
    seen: dict[str, Look | None] = {}
    async with Camera(studio.settings({})) as camera:
        for name, target in targets.items():
            try:
                seen[name] = cache.get(name)
            except KeyError:
                seen[name] = await _look(camera, target)
                cache.put(name, seen[name])
    return {name: each for name, each in seen.items() if each is not None}


async def _look(camera: Camera, target: Target) -> Look | None:
    taken = await camera.capture(target)
    try:
        if taken.screenshot is None:
            return None
        return look(taken.screenshot, None if taken.page is None else portrait(taken.page))
    finally:
        taken.close()


# --- our model -----------------------------------------------------------------------------------


def _guess(bag: Floats) -> Floats:
    main, between = bag[:, _COLUMN["is_main"]], bag[:, _COLUMN["main_between"]]
    guess: Floats = main + between + bag[:, _COLUMN["wide"]] / 2
    return guess


LINES = Subject(NAMES, as_learned, _guess, lambda bag: np.ones(len(bag), bool))


def learned(some: Sequence[Pair], bags: Sequence[Floats], chosen: Sequence[int]) -> Model:
    often = Counter(pair.group for pair in some)
    weights = [(1.0 if p.kind == "terms" else 0.6) / sqrt(often[p.group]) for p in some]
    return learn(
        [bags[n] for n in chosen],
        [some[n].important for n in chosen],
        [weights[n] for n in chosen],
        LINES,
        strength=0.05,
    )


def fold_of(some: Sequence[Pair], folds: int = FOLDS) -> dict[str, int]:
    """The number of the fold of each company and repository."""
    groups = sorted({pair.group for pair in some})
    random.Random(0).shuffle(groups)
    return {group: number % folds for number, group in enumerate(groups)}


def parts(some: Sequence[Pair], folds: int = FOLDS) -> list[tuple[list[int], list[int]]]:
    """Pairs to learn from and pairs to test with, no company or repository in both."""
    fold = fold_of(some, folds)
    return [
        (
            [n for n, p in enumerate(some) if fold[p.group] != number],
            [n for n, p in enumerate(some) if fold[p.group] == number],
        )
        for number in range(folds)
    ]


def lessons(some: Sequence[Pair]) -> dict[str, Lesson]:
    """Every picture once, by its name."""
    return {
        name: Lesson(pair.group, look.grey, look.cells)
        for pair in some
        for name, look in zip(pair.names, (pair.before, pair.after), strict=True)
    }


def unseen_answers(some: Sequence[Pair]) -> dict[str, Floats]:
    """For each picture, where its content is by a network that never saw its group."""
    fold, known = fold_of(some), lessons(some)
    found: dict[str, Floats] = {}
    for number in range(FOLDS):
        network = taught([each for each in known.values() if fold[each.group] != number])
        for name, each in known.items():
            if fold[each.group] == number:
                found[name] = answers(network, each.grey)
    return found


def attended(some: Sequence[Pair], found: Mapping[str, Floats]) -> list[Pair]:
    """The pairs with what networks say of each line."""

    def with_content(look: Look, name: str) -> Look:
        content = means(found[name], look.sketch.boxes, look.sketch.width)
        return replace(look, sketch=replace(look.sketch, content=content))

    return [
        replace(
            pair,
            before=with_content(pair.before, pair.names[0]),
            after=with_content(pair.after, pair.names[1]),
        )
        for pair in some
    ]


def evidence_of(some: Sequence[Pair]) -> list[Floats]:
    return [differences(pair.before.sketch, pair.after.sketch).evidence for pair in some]


def unseen_odds(some: Sequence[Pair], bags: Sequence[Floats]) -> Floats:
    """The odds of each pair's two most likely lines, by models that never saw its group."""
    odds = np.zeros((len(some), 2))
    for known, unseen in parts(some):
        model = learned(some, bags, known)
        for n in unseen:
            odds[n] = best_odds(model.chances(bags[n]), 2)
    return odds


def pixel_difference(pair: Pair) -> float:
    """The mean difference of brightness; what only one of them has differs by a sixth."""
    one, other = pair.before.grey, pair.after.grey
    common, tall = min(len(one), len(other)), max(len(one), len(other))
    inside = float(np.abs(one[:common].astype(int) - other[:common]).sum())
    wide = int(one.shape[1])
    return (inside / 255 + (tall - common) * wide / 6) / (tall * wide)


def figures(some: Sequence[Pair], scores: Floats) -> dict[str, list[float]]:
    """AUC with intervals: of terms; of histories, no changed word against many; against any."""
    terms = [n for n, p in enumerate(some) if p.kind == "terms"]
    old = [n for n, p in enumerate(some) if p.kind == "histories"]
    sure = [n for n in old if some[n].words == 0 or some[n].words >= MANY]
    aside = [n for n in terms if set_aside(some[n].group)]
    return {
        name: spread(
            [some[n].group for n in chosen],
            np.array([some[n].important for n in chosen]),
            scores[chosen],
        )
        for name, chosen in (
            ("terms, clean", terms),
            ("terms, clean, set aside", aside),
            ("histories, no word or 20", sure),
            ("histories, any word", old),
        )
    }


def examples(some: Sequence[Pair]) -> list[Example]:
    """The same pairs as VICD sees them."""
    return [Example(p.before.small, p.after.small, p.important, p.group, p.names) for p in some]


def run(some: Sequence[Pair], out: Path | None) -> dict[str, Any]:
    """Our model against a difference of pixels; the model is written to `out`, and the network
    beside it.
    """
    found, known = unseen_answers(some), lessons(some)
    unattended, some = evidence_of(some), attended(some, found)
    bags = evidence_of(some)
    odds = unseen_odds(some, bags)
    model = _calibrated(some, learned(some, bags, range(len(some))), odds)
    pair = np.array(model.pair)
    scores = odds @ pair[:2] + pair[2]
    told = {
        "webgeist": figures(some, scores),
        "webgeist without the network": figures(some, unseen_odds(some, unattended)[:, 0]),
        "pixel difference": figures(some, np.array([pixel_difference(p) for p in some])),
        "at the threshold": _price(some, 1 / (1 + np.exp(-scores)), model.threshold),
        "cells told right": accuracy(list(known.values()), [found[name] for name in known]),
    }
    if out is not None:
        card = _card(some, told)
        text = json.dumps(replace(model, version="2", card=card).to_json(), indent=1)
        out.write_text(text + "\n", "utf-8")
        export(taught(list(known.values())), out.with_name("attention.onnx"))
    return told


def _calibrated(some: Sequence[Pair], model: Model, odds: Floats) -> Model:
    truth = [pair.important for pair in some]
    found = LogisticRegression(C=10).fit(odds, truth)
    one, two, constant = (float(v) for v in (*found.coef_[0], found.intercept_[0]))
    pair = (round(one, 4), round(max(two, 0.0), 4), round(constant, 4))
    return replace(model, pair=pair, threshold=_threshold(some, odds, pair))


def _threshold(some: Sequence[Pair], odds: Floats, pair: tuple[float, float, float]) -> float:
    """Where one of ten unimportant pairs raises an alarm: pictures alone tell less."""
    scores = 1 / (1 + np.exp(-(odds @ np.array(pair[:2]) + pair[2])))
    quiet = np.array([not p.important for p in some])
    return round(float(np.quantile(scores[quiet], 0.9)), 2)


def _price(some: Sequence[Pair], scores: Floats, threshold: float) -> dict[str, float]:
    found = {}
    for kind in ("terms", "histories"):
        for name, important in (("false alarms", False), ("found", True)):
            chosen = [n for n, p in enumerate(some) if p.kind == kind and p.important == important]
            found[f"{kind}: {name}"] = round(float((scores[chosen] >= threshold).mean()), 4)
    return found | {"threshold": threshold}


def _card(some: Sequence[Pair], told: dict[str, Any]) -> dict[str, Any]:
    count = Counter(pair.kind for pair in some)
    return {
        "made by": "python -m benchmarks changes --only pictures --out FILE",
        "learned from": (
            f"{count['terms']} pairs of screenshots of terms and policies, judged by a third "
            f"party, and {count['histories']} of page histories, important where a word changed"
        ),
        "method": (
            "lines of both pictures are aligned by their ink; a logistic model judges those that "
            "are in one only (multiple-instance learning, four rounds). One of its facts is how "
            "likely a line is content by its place: attention.onnx, a convolutional network of "
            "30,000 weights that learned from the same pictures, of which the page's elements were "
            "known: the cells of 32 by 32 pixels that are in the part with most of the prose. No "
            "judgement of a pair was shown to it"
        ),
        "split": (
            f"{FOLDS} folds by company and repository; neither model nor network of a fold saw a "
            "picture of its companies and repositories. 95% intervals by bootstrap over them"
        ),
        "figures": told,
        "known failures": (
            "text that cannot be seen, addresses of links, pages without style sheets (menus stand "
            "in the column of the text), another font or width of the column (all lines differ). "
            "Pictures of mobile apps were not learned from"
        ),
    }
