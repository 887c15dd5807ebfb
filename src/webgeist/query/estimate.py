"""What a query would read, before it does: rows and bytes of the columns that it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.query.attached import attached

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from webgeist.repository.release import Release


@dataclass(frozen=True)
class Estimate:
    """At most: row groups that cannot hold a match are passed over when the query runs."""

    rows: int
    bytes: int
    row_groups: int


def estimate(release: Release, tables: Mapping[str, Sequence[str]]) -> Estimate:
    """Rows by the manifest, bytes by the files' footers."""
    rows = groups = size = 0
    for name, columns in tables.items():
        if name in attached(release):
            rows += attached(release)[name].num_rows
            continue
        wanted = {*columns, *(name.partition(".")[0] for name in columns)}  # or of a map
        for file in release.manifest.files_of(name):
            rows += file.rows
            groups += len(file.row_groups)
        for footer in release.footers(name):
            places = [
                number
                for number in range(footer.num_columns)
                if footer.schema.column(number).path.split(".")[0] in wanted
            ]
            for number in range(footer.num_row_groups):
                group = footer.row_group(number)
                size += sum(group.column(place).total_compressed_size for place in places)
    return Estimate(rows, size, groups)
