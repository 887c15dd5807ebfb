"""Feature sets that others write: an entry point of the group `webgeist.features`.

    # pyproject.toml of the plugin
    [project.entry-points."webgeist.features"]
    roundness = "my_package:ROUNDNESS"

    # my_package.py
    ROUNDNESS = FeatureSet("roundness", "1", {"radius": pa.float32()}, compute)

Its table is `features_roundness`, with a row for each block. What it gives of a capture must depend
on nothing else; when it gives something else, its version must change.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from webgeist.analyses.analysis import Analysis

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from importlib.metadata import EntryPoint

    from numpy.typing import NDArray

    from webgeist.analyses.analysis import Subject
    from webgeist.page.hierarchy import Hierarchy
    from webgeist.page.model import Page

    Compute = Callable[[Page, Hierarchy, NDArray[np.uint8]], Mapping[str, Any]]

GROUP = "webgeist.features"
_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")


@dataclass(frozen=True)
class FeatureSet:
    """`compute(page, blocks, picture)` gives an array for each of the `columns`, a value for each
    block. The picture is (height, width, 3) RGB.
    """

    name: str
    version: str
    columns: Mapping[str, pa.DataType]
    compute: Compute = field(repr=False)

    def analysis(self) -> Analysis:
        """The same as an analysis. ValueError where it promises what cannot be kept."""
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name: small letters, digits and _ are")
        if not self.columns or "block" in self.columns:
            raise ValueError("it needs columns, and none of them is called block")
        fields = [pa.field("block", pa.int32(), nullable=False)]
        fields += [pa.field(name, kind) for name, kind in self.columns.items()]
        return Analysis(f"features_{self.name}", str(self.version), pa.schema(fields), self._rows)

    def _rows(self, subject: Subject) -> pa.Table:
        found = subject.hierarchy
        given = dict(self.compute(subject.page, found, subject.picture))
        for name, values in given.items():
            if len(values) != len(found):
                raise ValueError(f"{name} has {len(values)} values for {len(found)} blocks")
        blocks = np.arange(len(found), dtype=np.int32)
        ordered = {name: given[name] for name in self.columns if name in given}
        others = {name: values for name, values in given.items() if name not in ordered}
        return pa.table({"block": blocks, **ordered, **others})


@dataclass(frozen=True)
class Broken:
    """A plugin that cannot be used, and why."""

    name: str
    reason: str


def load_plugins(
    found: Iterable[EntryPoint] | None = None,
) -> tuple[list[Analysis], list[Broken]]:
    """The feature sets that are installed, and those that cannot be used."""
    analyses: dict[str, Analysis] = {}
    broken: list[Broken] = []
    for entry in sorted(found or entry_points(group=GROUP), key=lambda each: each.name):
        try:
            loaded = entry.load()
            if not isinstance(loaded, FeatureSet):
                raise TypeError(f"{entry.value} is no FeatureSet")  # noqa: TRY301 - told with the rest
            analysis = loaded.analysis()
            if analysis.name in analyses:
                raise ValueError(f"there is another {loaded.name}")  # noqa: TRY301 - told with the rest
            analyses[analysis.name] = analysis
        except Exception as error:  # noqa: BLE001 - a stranger's code may raise anything; it is told
            broken.append(Broken(entry.name, f"{type(error).__name__}: {error}"))
    return list(analyses.values()), broken
