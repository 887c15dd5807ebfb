"""What a query would read is known from footers and the manifest alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.query.estimate import Estimate, estimate

if TYPE_CHECKING:
    from webgeist.repository.release import Release


def test_rows_and_bytes_of_some_columns(release: Release) -> None:
    few = estimate(release, {"nodes": ["capture", "name"]})
    more = estimate(release, {"nodes": ["capture", "name", "attributes"]})
    assert few.rows == more.rows == release.table("nodes", ["node"]).num_rows
    assert few.row_groups == more.row_groups == len(release.paths("nodes"))
    assert 0 < few.bytes < more.bytes


def test_nested_columns_count_with_all_their_parts(release: Release) -> None:
    footer = release.footers("nodes")[0]
    parts = [footer.schema.column(n).path for n in range(footer.num_columns)]
    assert sum(path.startswith("attributes.") for path in parts) > 1
    assert estimate(release, {"nodes": ["attributes"]}).bytes > 0


def test_several_tables_add_up(release: Release) -> None:
    one, other = ({"nodes": ["name"]}, {"links": ["url"]})
    both = estimate(release, one | other)
    parts = (estimate(release, one), estimate(release, other))
    assert both == Estimate(
        *(sum(each) for each in zip(*(vars(p).values() for p in parts), strict=True))
    )


def test_a_table_without_files_costs_nothing(release: Release) -> None:
    empty = next(name for name in release.tables() if not release.paths(name))
    assert estimate(release, {empty: ["capture"]}) == Estimate(0, 0, 0)
