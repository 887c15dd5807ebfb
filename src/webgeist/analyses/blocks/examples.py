"""From labelled pages to rows to learn from."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from webgeist.analyses.blocks.facts import Facts
from webgeist.analyses.blocks.features import feature_names, features
from webgeist.analyses.blocks.file_addresses import file_xpaths
from webgeist.analyses.blocks.training import Examples

if TYPE_CHECKING:
    from collections.abc import Iterable

    from webgeist.analyses.blocks.annotators.words import Lexicon
    from webgeist.analyses.blocks.labels import Labelled
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.capture.model import Capture


def examples(
    program: Compiled,
    pages: Iterable[tuple[Labelled, Capture, bytes]],
    words: Lexicon | None = None,
) -> tuple[Examples, int]:
    """Rows of all pages, and how many labels are on nodes that no rule finds interesting: those
    are missed whatever is learned, and count as wanted with no chance.
    """
    values, wanted, site, page, lost = [], [], [], [], 0
    for number, (labelled, capture, body) in enumerate(pages):
        if capture.page is None:
            continue
        view = capture.info.viewport
        facts = Facts(capture.page, labelled.url, (view.width, view.height), words)
        table = features(program, facts)
        paths = file_xpaths(body, capture.page, table.nodes)
        ignored, named = set(labelled.ignore), set(labelled.nodes)
        for row, node in enumerate(table.nodes):
            path = paths.get(node, "")
            if path not in ignored:
                values.append(table.values[row])
                wanted.append(path in named)
                site.append(labelled.site)
                page.append(number)
        lost += len(named - set(paths.values()))
    names = feature_names(program)
    return (
        Examples(
            names,
            np.array(values, np.float32).reshape(-1, len(names)),
            np.array(wanted, bool),
            np.array(site, np.str_),
            np.array(page, np.int64),
        ),
        lost,
    )
