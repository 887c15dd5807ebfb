"""What a comparison of two versions gives."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from webgeist.analyses.changes.regions import Region


@dataclass(frozen=True)
class Change:
    """How one version of a page differs from another.

    `score` (0..1) is how likely the content changed, `important` whether that is more than the
    threshold. Where the captures are not `comparable` there is no alarm, and the reason says why.
    Regions are the most important first; no more than 100.
    """

    score: float
    important: bool
    comparable: bool
    reason: str
    regions: tuple[Region, ...]

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it."""
        return asdict(self)

    def to_arrow(self) -> pa.Table:
        """The regions, a row for each."""
        import pyarrow as pa

        from webgeist.analyses.changes.table import REGION

        rows = [asdict(region) for region in self.regions]
        return pa.Table.from_pylist(rows, schema=pa.schema(REGION.fields))

    def to_pandas(self) -> Any:
        return self.to_arrow().to_pandas()


def not_comparable(why: str) -> Change:
    """No alarm, and why."""
    return Change(
        0.0, important=False, comparable=False, reason=f"not comparable: {why}", regions=()
    )
