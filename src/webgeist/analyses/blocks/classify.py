"""Blocks of a type on a captured page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.addresses import xpaths
from webgeist.analyses.blocks.blocktype import block_type
from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.features import features
from webgeist.errors import NotFoundError

if TYPE_CHECKING:
    from webgeist.capture.model import Capture

THRESHOLD = 0.5


@dataclass(frozen=True)
class Classified:
    """A node of the type, how sure that is, and the decisions that say so."""

    node: int
    xpath: str
    type: str
    score: float
    reason: str


def classify_blocks(capture: Capture, type_: str) -> list[Classified]:
    """The nodes of a captured page that are of a block type, one that comes with webgeist or that
    of a folder. NotFoundError where there is no page or no model.
    """
    page = capture.page
    if page is None:
        raise NotFoundError(f"there is no page to look at: {capture.info.outcome}")
    kind = block_type(type_)
    model = kind.trained()
    view = capture.info.viewport
    facts = Facts(page, capture.info.url, (view.width, view.height), kind.words)
    table = features(kind.program, facts)
    scores = model.score(table.values)
    found = [k for k, score in enumerate(scores) if score >= THRESHOLD]
    addresses = xpaths(page, [table.nodes[k] for k in found])
    return [
        Classified(
            node=table.nodes[k],
            xpath=addresses[table.nodes[k]],
            type=kind.name,
            score=round(float(scores[k]), 4),
            reason="; ".join(model.explain(table.values[k].tolist())),
        )
        for k in found
    ]
