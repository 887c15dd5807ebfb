"""All analyses there are: our own, and those of plugins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.analyses.blocks.tables import BLOCK_TYPES_ANALYSIS, PAGINATION_ANALYSIS
from webgeist.analyses.changes.table import CHANGES_ANALYSIS
from webgeist.analyses.features.descriptor import descriptor_analysis
from webgeist.analyses.features.table import FEATURES_ANALYSIS
from webgeist.analyses.features.whole import WHOLE_ANALYSIS
from webgeist.analyses.menus.tables import MENU_ITEMS_ANALYSIS, MENUS_ANALYSIS, SITES_ANALYSIS
from webgeist.analyses.metrics import METRICS_ANALYSIS
from webgeist.analyses.plugins import load_plugins
from webgeist.analyses.visual import BLOCKS_ANALYSIS

if TYPE_CHECKING:
    from webgeist.analyses.analysis import Analysis
    from webgeist.analyses.features.layout import Layout
    from webgeist.analyses.group import GroupAnalysis
    from webgeist.analyses.plugins import Broken

    Known = Analysis | GroupAnalysis

DESCRIPTORS = "descriptors"
_OWN: tuple[Known, ...] = (
    BLOCKS_ANALYSIS,
    FEATURES_ANALYSIS,
    WHOLE_ANALYSIS,
    METRICS_ANALYSIS,
    MENUS_ANALYSIS,
    MENU_ITEMS_ANALYSIS,
    SITES_ANALYSIS,
    PAGINATION_ANALYSIS,
    BLOCK_TYPES_ANALYSIS,
    CHANGES_ANALYSIS,
)


def analyses(layout: Layout | None) -> tuple[dict[str, Known], list[Broken]]:
    """By name, in the order in which they are run; and the plugins that cannot be used.

    Descriptors need a layout, which is made from many captures.
    """
    plugins, broken = load_plugins()
    described = [] if layout is None else [descriptor_analysis(layout)]
    return {each.name: each for each in (*_OWN, *described, *plugins)}, broken
