"""How well important changes are told from others, beside simpler measures on the same pairs.

`terms`: versions of terms and policies, judged by a third party. Models are trained and tested on
different services (six folds); intervals are 95%, by bootstrap over services. `shipped`: the model
that webgeist comes with on generated edits, and what a comparison costs. Only if asked for:
`histories`, that model on pages with their style sheets; `pictures` and `vicd`, screenshots alone,
by our model and by the paper's networks; `train`, which makes the model again, from terms and
generated pairs, and writes it to `--out`.
"""

from __future__ import annotations

import json
import random
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.changes_baselines import alarms, measures
from benchmarks.changes_corpus import Sample, articles, terms
from benchmarks.changes_elapsed import elapsed
from benchmarks.changes_folds import bags_of, folds, interval, set_aside, unlooked
from benchmarks.changes_generated import generated
from benchmarks.changes_training import train
from webgeist.analyses.changes.compare import judge
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.vector import SIZE, apart, vector

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from webgeist.analyses.changes.portrait import Portrait

    Floats = NDArray[np.floating[Any]]

PARTS = ("terms", "shipped", "histories", "pictures", "vicd", "train")
_PROSE = 12  # words of a passage that is edited


def run(*, short: bool, only: str | None = None, out: Path | None = None) -> dict[str, Any]:
    if only in ("histories", "pictures", "vicd"):
        return {only: _others(only, out, short=short)}
    samples = terms(short=short)
    figures: dict[str, Any] = {"pairs": len(samples)}
    if only == "train":
        figures["train"] = train(samples, generated(articles(short=short)), out)
    if only in (None, "terms"):
        figures["terms"] = _terms(samples, generated(articles(short=short)))
    if only in (None, "shipped"):
        figures["shipped"] = _shipped(samples)
    return figures


def _others(only: str, out: Path | None, *, short: bool) -> dict[str, Any]:
    """Page histories, and screenshots alone: only if asked for."""
    from benchmarks import changes_pictures, changes_shown

    if only == "histories":
        return changes_shown.run()
    some = changes_pictures.pairs(short=short)
    if only == "pictures":
        return changes_pictures.run(some, out)
    from benchmarks import changes_vicd

    return changes_vicd.run(some)


def report(figures: dict[str, Any]) -> str:
    for part in ("train", "histories", "pictures", "vicd"):
        if part in figures:
            return json.dumps(figures[part], indent=1)
    lines = [f"{figures['pairs']} pairs", "", "| AUC, services unseen | clean | clean + doubtful |"]
    lines.append("|---|--:|--:|")
    for name, found in figures.get("terms", {}).get("auc", {}).items():
        lines.append(f"| {name} | {_told(found['clean'])} | {_told(found['doubtful'])} |")
    for part in ("terms", "shipped"):
        rest = {k: v for k, v in figures.get(part, {}).items() if k != "auc"}
        lines += [f"{name}: {value}" for name, value in rest.items()]
    return "\n".join(lines)


def _told(found: list[float]) -> str:
    return f"{found[0]:.3f} ({found[1]:.3f} to {found[2]:.3f})"


# --- terms -------------------------------------------------------------------------------------


def _terms(samples: Sequence[Sample], made: Sequence[Sample]) -> dict[str, Any]:
    bags = bags_of([*samples, *made])
    scores = {"webgeist": _folds(samples, made, bags)}
    for name, measure in measures().items():
        scores[name] = np.array([measure(s) for s in samples])
    aside = [n for n, s in enumerate(samples) if set_aside(s.service)]
    unlooked = [samples[n] for n in aside]
    return {
        "auc": {name: _auc(samples, found) for name, found in scores.items()},
        "set aside": {
            "services": len({s.service for s in unlooked}),
            "webgeist": _auc(unlooked, _aside(samples, made, bags)),
            **{
                name: _auc(unlooked, found[aside])
                for name, found in scores.items()
                if name != "webgeist"
            },
        },
        **_prices(samples, scores),
    }


def _auc(samples: Sequence[Sample], found: Floats) -> dict[str, list[float]]:
    return {
        "clean": interval(samples, found, ("clean",)),
        "doubtful": interval(samples, found, ("clean", "doubtful")),
    }


def _prices(samples: Sequence[Sample], scores: dict[str, Floats]) -> dict[str, Any]:
    """False alarms: of ours at the threshold, of all where they find as many changes as ours."""
    sure = [n for n, s in enumerate(samples) if s.status == "clean" or _same(s)]
    truth = np.array([samples[n].important for n in sure])
    ours, threshold = scores["webgeist"][sure], default_model().threshold
    found = float((ours[truth] >= threshold).mean())
    return {
        "false_alarms": round(float((ours[~truth] >= threshold).mean()), 4),
        "found_of_important": round(found, 4),
        "false_alarms_finding_as_many": {
            name: round(alarms(each[sure], truth, found), 4) for name, each in scores.items()
        },
    }


def _same(sample: Sample) -> bool:
    return sample.status == "same-text" and not sample.important


def _folds(samples: Sequence[Sample], made: Sequence[Sample], bags: Sequence[Floats]) -> Floats:
    """Scores by models that never saw the service."""
    scores = np.zeros(len(samples))
    for learned_, unseen in folds([*samples, *made], bags):
        model = replace(learned_, pair=default_model().pair)
        for n in unseen:
            if n < len(samples):
                scores[n] = model.score(model.chances(bags[n]))
    return scores


def _aside(samples: Sequence[Sample], made: Sequence[Sample], bags: Sequence[Floats]) -> Floats:
    """Scores of the services that were set aside, by a model from all others."""
    learned, aside = unlooked([*samples, *made], bags)
    model = replace(learned, pair=default_model().pair)
    return np.array([model.score(model.chances(bags[n])) for n in aside])


# --- shipped -----------------------------------------------------------------------------------


def _shipped(samples: Sequence[Sample]) -> dict[str, Any]:
    """One known edit in a passage of prose: whether its block is told, and what it costs."""
    draw, found, important, seconds, tried = random.Random(2), 0, 0, 0.0, 0
    pages = {id(s.before): s.before for s in samples}.values()
    for page in pages:
        inside = [n for n, p in enumerate(page.passages) if p.within >= 2 and p.words >= _PROSE]
        if not inside:
            continue
        place = draw.choice(inside)
        edited = _edited(page, place, draw)
        began = time.process_time()
        change = judge(page, edited, default_model())
        seconds += time.process_time() - began
        tried += 1
        important += change.important
        text = edited.passages[place].text[:100]
        found += any(text in region.text_after for region in change.regions)
    return {
        "generated_pairs": tried,
        "edited_block_told": round(found / max(tried, 1), 4),
        "edits_important": round(important / max(tried, 1), 4),
        "ms_cpu_per_pair_of_portraits": round(1000 * seconds / max(tried, 1), 1),
        "ms_cpu_per_thousand_vectors": _vectors(list(pages)[:100]),
        "as time goes by": elapsed(list(pages)[::4]),
    }


def _vectors(pages: Sequence[Portrait]) -> float:
    """CPU to compare one capture with a thousand others by their vectors."""
    known = np.resize(np.stack([vector(page) for page in pages]), (1_000, SIZE))
    began = time.process_time()
    for _ in range(100):
        apart(known[0], known)
    return round(10 * (time.process_time() - began), 3)


def _edited(page: Portrait, place: int, draw: random.Random) -> Portrait:
    """The page with a few words of one passage replaced by others of the page."""
    words = page.passages[place].text.split()
    at = draw.randrange(max(1, len(words) - 3))
    words[at : at + 3] = [w[::-1] for w in words[at : at + 3]] + ["hereafter"]
    passages = list(page.passages)
    passages[place] = replace(passages[place], text=" ".join(words), words=len(words))
    return replace(page, passages=tuple(passages))
