"""How well important changes are told from others, beside simpler measures on the same pairs.

`terms`: versions of terms and policies, judged by a third party. Models are trained and tested on
different services (six folds); intervals are 95%, by bootstrap over services. `shipped`: the model
that webgeist comes with on generated edits, and what a comparison costs. `train`, only if asked
for: makes that model again, from terms and generated pairs, and writes it to `--out`.
"""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.changes_corpus import Sample, articles, terms
from benchmarks.changes_folds import bags_of, folds, interval
from benchmarks.changes_generated import generated
from benchmarks.changes_training import train
from webgeist.analyses.changes.compare import judge
from webgeist.analyses.changes.model import default_model
from webgeist.analyses.changes.simhash import distance, simhash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from webgeist.analyses.changes.portrait import Portrait

PARTS = ("terms", "shipped", "train")
_PROSE = 12  # words of a passage that is edited


def run(*, short: bool, only: str | None = None, out: Path | None = None) -> dict[str, Any]:
    samples = terms(short=short)
    figures: dict[str, Any] = {"pairs": len(samples)}
    if only == "train":
        figures["train"] = train(samples, generated(articles(short=short)), out)
    if only in (None, "terms"):
        figures["terms"] = _terms(samples)
    if only in (None, "shipped"):
        figures["shipped"] = _shipped(samples)
    return figures


def report(figures: dict[str, Any]) -> str:
    if "train" in figures:
        return json.dumps(figures["train"], indent=1)
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


def _terms(samples: Sequence[Sample]) -> dict[str, Any]:
    scores = {"webgeist": _folds(samples)}
    for name, measure in _MEASURES.items():
        scores[name] = np.array([measure(s.before, s.after) for s in samples])
    auc = {
        name: {
            "clean": interval(samples, found, ("clean",)),
            "doubtful": interval(samples, found, ("clean", "doubtful")),
        }
        for name, found in scores.items()
    }
    same = np.array([not s.important and s.status != "doubtful" for s in samples])
    clean = np.array([s.important and s.status == "clean" for s in samples])
    ours, threshold = scores["webgeist"], default_model().threshold
    return {
        "auc": auc,
        "false_alarms": round(float((ours[same] >= threshold).mean()), 4),
        "found_of_important": round(float((ours[clean] >= threshold).mean()), 4),
        "false_alarms_of_any_changed_word": round(float((scores["words"][same] > 0).mean()), 4),
        "false_alarms_of_simhash": round(float((scores["simhash"][same] > 0).mean()), 4),
    }


def _folds(samples: Sequence[Sample]) -> NDArray[np.floating[Any]]:
    """Scores by models that never saw the service; from terms alone."""
    bags, scores = bags_of(samples), np.zeros(len(samples))
    for learned, unseen in folds(samples, bags):
        model = replace(learned, pair=default_model().pair)
        for n in unseen:
            scores[n] = model.score(model.passages(bags[n]))
    return scores


def _words(page: Portrait, within: int = 0) -> Counter[str]:
    return Counter(w for p in page.passages if p.within >= within for w in p.text.split())


def _changed_words(within: int) -> Callable[[Portrait, Portrait], float]:
    def measure(before: Portrait, after: Portrait) -> float:
        one, other = _words(before, within), _words(after, within)
        return ((one - other).total() + (other - one).total()) / max(one.total() + other.total(), 1)

    return measure


_MEASURES: dict[str, Callable[[Portrait, Portrait], float]] = {
    "words": _changed_words(0),
    "words of the content region": _changed_words(2),
    "simhash": lambda one, other: distance(
        simhash(_words(one).elements()), simhash(_words(other).elements())
    ),
}


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
    }


def _edited(page: Portrait, place: int, draw: random.Random) -> Portrait:
    """The page with a few words of one passage replaced by others of the page."""
    words = page.passages[place].text.split()
    at = draw.randrange(max(1, len(words) - 3))
    words[at : at + 3] = [w[::-1] for w in words[at : at + 3]] + ["hereafter"]
    passages = list(page.passages)
    passages[place] = replace(passages[place], text=" ".join(words), words=len(words))
    return replace(page, passages=tuple(passages))
