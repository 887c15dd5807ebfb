"""How well pagination is found on sites that were left out, and how fast.

    WEBGEIST_CORPORA=/folder python -m benchmarks pagination [--only PART]

Trees are learned from nine tenths of the registered domains and asked about the rest. The check of
the sequence is the same for all folds: it was written by people who had seen these pages. `model`
writes the model that webgeist ships.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.pagination_corpus import (
    LabelledPage,
    MissingError,
    corpus_folder,
    key,
    read_pages,
    render,
    rows_of,
)
from benchmarks.pagination_cost import cost_figures
from benchmarks.pagination_peer import peer_answers
from benchmarks.pagination_styled import styled_figures, styled_pages
from webgeist.analyses.blocks import blocktype
from webgeist.analyses.blocks.link import NONE, SEQUENCE
from webgeist.analyses.blocks.roles import role
from webgeist.analyses.blocks.rules.compiler import Source, compile_rules
from webgeist.analyses.blocks.sequence import check
from webgeist.analyses.blocks.shipped import library
from webgeist.analyses.blocks.training import KINDS, Examples, learn, left_out

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webgeist.analyses.blocks.link import Link

PARTS = ("quality", "peer", "families", "styled", "cost", "model")
FAMILIES = {
    "content": ("annotated_by", "annotation_value", "arrow", "rel_", "char_num"),
    "page position": ("relative_position", "contained_in"),
    "visual proximity": ("in_proximity", "num_in_proximity", "left_", "right_", "ascending"),
    "structure": ("last_before", "run_"),
    "addresses": ("is<url", "value<url", "series", "same_target"),
}
FOLDER = Path(blocktype.__file__).parent / "types" / "pagination"


def run(*, short: bool, only: str | None) -> dict[str, Any]:
    try:
        folder = corpus_folder()
    except MissingError as error:
        return {"missing": str(error)}
    cache = Path(os.environ.get("WEBGEIST_CACHE", ".cache")) / "pagination"
    rows = rows_of(folder, short=short)
    render(folder, rows, cache)
    source = Source("rules.beryl", (FOLDER / "rules.beryl").read_text("utf-8"))
    program = compile_rules((*library(), source), "pagination")
    figures: dict[str, Any] = {}
    if only == "cost":
        return cost_figures((*library(), source), rows, cache)
    pages = list(read_pages(folder, rows, cache, program))
    examples = _examples(pages)
    figures |= {"pages": len(pages), "sites": len(set(examples.site.tolist()))}
    if only in {None, "quality"}:
        figures |= _quality(pages, examples)
        figures |= _by_cleaning(pages, examples)
    if only in {None, "peer"}:
        figures |= _told("autopager", pages, peer_answers(folder, pages))
    if only in {None, "families"}:
        figures |= _families(pages, examples)
    if only in {None, "styled"}:
        figures |= styled_figures(examples, styled_pages(program), FAMILIES)
    if only in {None, "cost"}:
        figures |= cost_figures((*library(), source), rows, cache)
    if only == "model":
        figures |= _write_model(pages, examples, program.digest)
    return figures


def _quality(pages: Sequence[LabelledPage], examples: Examples) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for kind in KINDS:
        answers = _answers(pages, _by_page(pages, left_out(examples, kind)))
        figures |= _told(kind, pages, answers)
    return figures


def _by_cleaning(pages: Sequence[LabelledPage], examples: Examples) -> dict[str, Any]:
    """How the figures of next change, where only the labels of one reason are put right."""
    answers = _answers(pages, _by_page(pages, left_out(examples, "forest")))
    found: dict[str, Any] = {}
    for reason in sorted({reason for page in pages for reason in page.reasons.values()}):
        some = [page.with_reason(reason) for page in pages]
        number = sum(len(page.believed) for page in some)
        told = _figures(some, answers, cleaned=True)
        found[f"forest, raw but for {number} targets, {reason}"] = {
            name: told[name] for name in ("next precision", "next recall", "whole page right")
        }
    return found


def _told(
    who: str, pages: Sequence[LabelledPage], answers: Sequence[Mapping[str, set[str]]]
) -> dict[str, Any]:
    """Raw and cleaned figures of all pages, and of those that were set aside."""
    aside = [k for k, page in enumerate(pages) if is_set_aside(page.site)]
    some = [pages[k] for k in aside], [answers[k] for k in aside]
    figures: dict[str, Any] = {}
    for cleaned in (False, True):
        name = f"{who}, {'cleaned' if cleaned else 'raw'}"
        figures[name] = _figures(pages, answers, cleaned=cleaned)
        figures[f"{name}, set aside"] = _figures(*some, cleaned=cleaned)
    return figures


def is_set_aside(site: str) -> bool:
    """A quarter of the registered domains, which nobody looked at while the last checks of the
    sequence were written.
    """
    return hashlib.sha256(site.encode()).digest()[0] % 4 == 0


def _examples(pages: Sequence[LabelledPage]) -> Examples:
    """What is learned from: labels as believed, without what is not scored."""
    values, wanted, site, page, doubtful = [], [], [], [], []
    for number, each in enumerate(pages):
        by_node = {link.node: link for link in each.links}
        for row, node in enumerate(each.table.nodes):
            values.append(each.table.values[row])
            wanted.append(_label(each, by_node[node].node, key(by_node[node])) != NONE)
            site.append(each.site)
            page.append(number)
            doubtful.append(_is_doubtful(each, by_node[node]))
    names = pages[0].table.names
    return Examples(
        names,
        np.array(values),
        np.array(wanted),
        np.array(site),
        np.array(page),
        np.array(doubtful),
    )


def _is_doubtful(page: LabelledPage, link: Link) -> bool:
    """What is not scored is not learned from either."""
    ignored = page.believed.get(key(link)) == "ignore"
    return link.current or key(link) in page.threads or ignored


def _label(page: LabelledPage, node: int, target: str) -> str:
    should = page.believed.get(target)
    if should == "none":
        return NONE
    return should or page.truth.get(node, NONE)


def _by_page(pages: Sequence[LabelledPage], scores: np.ndarray) -> list[dict[int, float]]:
    found, at = [], 0
    for page in pages:
        count = len(page.table.nodes)
        found.append(dict(zip(page.table.nodes, scores[at : at + count].tolist(), strict=True)))
        at += count
    return found


def _answers(
    pages: Sequence[LabelledPage], scores: Sequence[Mapping[int, float]]
) -> list[dict[str, set[str]]]:
    """Labels by target, after the check of the sequence."""
    answers = []
    for page, of_node in zip(pages, scores, strict=True):
        links = []
        for link in page.links:
            score = of_node.get(link.node, 0.0)
            seen = replace(link, score=score)
            links.append(seen.now(*role(seen)) if score >= 0.5 else seen)
        found: dict[str, set[str]] = defaultdict(set)
        for link in check(links):
            if link.label in SEQUENCE and not link.current:
                found[key(link)].add(link.label)
        answers.append(dict(found))
    return answers


def _figures(
    pages: Sequence[LabelledPage], answers: Sequence[Mapping[str, set[str]]], *, cleaned: bool
) -> dict[str, str]:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for page, answer in zip(pages, answers, strict=True):
        counts[page.site].update(_count(page, answer, cleaned=cleaned))
    sites = sorted(counts)
    random = np.random.default_rng(0)
    drawn = [_rates(sum((counts[s] for s in sites), Counter()))]
    for _ in range(1000):
        chosen = random.integers(0, len(sites), len(sites))
        drawn.append(_rates(sum((counts[sites[k]] for k in chosen), Counter())))
    told = {}
    for name in drawn[0]:
        low, high = np.percentile([each[name] for each in drawn[1:]], [2.5, 97.5])
        told[name] = f"{drawn[0][name]:.3f} ({low:.3f}-{high:.3f})"
    return told


def _count(page: LabelledPage, answer: Mapping[str, set[str]], *, cleaned: bool) -> Counter[str]:
    truth = page.targets(cleaned=cleaned)
    ignored = {t for t, should in page.believed.items() if should == "ignore" and cleaned}
    found = {t: v for t, v in answer.items() if t not in page.threads and t not in ignored}
    both, false, missed = set(truth) & set(found), set(found) - set(truth), set(truth) - set(found)
    right = {t for t, v in truth.items() if "next" in v}
    said = {t for t, v in found.items() if "next" in v}
    return Counter(
        {
            "both": len(both), "false": len(false), "missed": len(missed),
            "next both": len(right & said), "next false": len(said - right),
            "next missed": len(right - said), "pages with next": bool(right),
            "target right": bool(right and said and said <= right),
            "empty": not truth, "clean": not truth and not found,
            "pages": 1, "exact": not false and not missed,
        }
    )  # fmt: skip


def _rates(c: Counter[str]) -> dict[str, float]:
    def share(of: str, *others: str) -> float:
        whole = c[of] + sum(c[other] for other in others)
        return c[of] / whole if whole else 1.0

    return {
        "sequence precision": share("both", "false"),
        "sequence recall": share("both", "missed"),
        "next precision": share("next both", "next false"),
        "next recall": share("next both", "next missed"),
        "next target right": c["target right"] / max(1, c["pages with next"]),
        "clean without a pager": c["clean"] / max(1, c["empty"]),
        "whole page right": c["exact"] / max(1, c["pages"]),
    }


def _families(pages: Sequence[LabelledPage], examples: Examples) -> dict[str, Any]:
    figures: dict[str, Any] = {}
    for family, beginnings in FAMILIES.items():
        own = [name for name in examples.names if name.startswith(beginnings)]
        others = [name for name in examples.names if name not in own]
        for what, rest in (("removed", examples.without(own)), ("alone", examples.without(others))):
            answers = _answers(pages, _by_page(pages, left_out(rest, "tree")))
            figures[f"{family} {what}"] = _figures(pages, answers, cleaned=True)
    return figures


def _write_model(pages: Sequence[LabelledPage], examples: Examples, digest: str) -> dict[str, Any]:
    scores = _by_page(pages, left_out(examples, "forest"))
    card = {
        "kind": "forest of 30 trees",
        "pages": len(pages),
        "sites": len(set(examples.site.tolist())),
        "links": len(examples.wanted),
        "how": "10-fold cross-validation by registered domain, 95% intervals by drawing sites",
        "raw": _figures(pages, _answers(pages, scores), cleaned=False),
        "cleaned": _figures(pages, _answers(pages, scores), cleaned=True),
        "made by": "python -m benchmarks pagination --only model",
    }
    model = replace(learn(examples, "pagination", digest, "forest"), card=card)
    (FOLDER / "model.json").write_text(model.to_json(), "utf-8")
    return {"written": str(FOLDER / "model.json"), "card": card}


def report(figures: dict[str, Any]) -> str:
    lines = []
    for name, value in figures.items():
        if isinstance(value, dict):
            lines.append(f"{name}:")
            lines += [f"  {inner}: {told}" for inner, told in value.items()]
        else:
            lines.append(f"{name}: {value}")
    return "\n".join(lines)
