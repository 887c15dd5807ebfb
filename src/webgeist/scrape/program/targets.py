"""Reads what a step is about: a CSS selector, the features of an address, or a cell of a row."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webgeist.scrape.program.model import Target
from webgeist.scrape.program.places import nearest
from webgeist.scrape.relations.addresses import KINDS

if TYPE_CHECKING:
    from webgeist.scrape.program.places import Value

_CELL = re.compile(r"\{([^\W\d]\w*\.\w+)\}")
ATTRIBUTE = "attribute"


def read_targets(value: Value) -> dict[str, Target]:
    """Targets by the names that their texts are to have."""
    found = {name: read_target(each) for name, each in value.fields().items()}
    if not found:
        value.fail("nothing is named here", remedy="NAME: TARGET")
    return found


def read_target(value: Value) -> Target:
    """`h1.title`, `{row.name}`, or `{text: Next, role: link, attribute: href}`."""
    if not value.is_mapping:
        text = value.text()
        cell = _CELL.fullmatch(text)
        return Target(cell=cell[1]) if cell else Target({"css": text})
    found = value.fields()
    for name, each in found.items():
        if name not in (*FEATURES, ATTRIBUTE):
            each.fail(f"there is no feature {name!r}", remedy=nearest(name, (*FEATURES, ATTRIBUTE)))
    features = {name: each.text() for name, each in found.items() if name != ATTRIBUTE}
    if not features:
        value.fail("nothing says what is looked for", remedy="css: SELECTOR, or text: WORDS")
    attribute = found[ATTRIBUTE].text() if ATTRIBUTE in found else None
    return Target(features, attribute=attribute)


FEATURES = ("css", *KINDS)
