"""Whether the tables of a release fit each other and state.db."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from webgeist.errors import DamagedError
from webgeist.repository.derived import released_tables
from webgeist.repository.packed import unpack

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.repository.manifest import TableFile
    from webgeist.repository.release import Release


def wrong_references(release: Release, published: set[str]) -> Iterator[str]:
    """What does not fit, a sentence each. `published` is what state.db says that it has."""
    found = _captures(release)
    yield from _differences(set(found), published)
    counts = _counts(release, "nodes")
    for capture, expected in found.items():
        if counts.get(capture, 0) != expected:
            yield f"capture {capture} has {counts.get(capture, 0)} nodes instead of {expected}"
    for name in release.tables():
        if name != "captures" and "capture" in release.columns(name):
            for capture in sorted(set(_counts(release, name)) - set(found)):
                yield f"table {name} has rows of {capture}, which is no capture"
    for half in ("inherited", "own"):
        yield from _missing_styles(release, half)


def _captures(release: Release) -> dict[str, int]:
    table = release.table("captures", ["capture", "nodes"])
    ids, nodes = (table.column(name).to_pylist() for name in ("capture", "nodes"))
    return dict(zip(ids, nodes, strict=True))


def _differences(found: set[str], published: set[str]) -> Iterator[str]:
    for capture in sorted(published - found):
        yield f"capture {capture} was published but is not in the release"
    for capture in sorted(found - published):
        yield f"capture {capture} is in the release but not in state.db"


def _counts(release: Release, name: str) -> dict[str, int]:
    """Rows per capture."""
    counts: dict[str, int] = {}
    for table in release.stream(name, ["capture"]):
        for each in pc.value_counts(table.column("capture").cast(pa.string())).to_pylist():
            counts[each["values"]] = counts.get(each["values"], 0) + each["counts"]
    return counts


def _missing_styles(release: Release, half: str) -> Iterator[str]:
    rows = _counts(release, f"styles_{half}")
    for table in release.stream("nodes", ["capture", f"style_{half}"]):
        plain = table.set_column(0, "capture", table.column("capture").cast(pa.string()))
        highest = plain.group_by("capture").aggregate([(f"style_{half}", "max")]).to_pylist()
        for each in highest:
            style = each[f"style_{half}_max"]
            if style is not None and style >= rows.get(each["capture"], 0):
                yield f"capture {each['capture']} lacks rows in styles_{half}"


def wrong_pages(release: Release) -> Iterator[tuple[TableFile, str]]:
    """Packed pages that cannot be unpacked, or have other rows than the tables, and their files."""
    tables = ("nodes", "styles_inherited", "styles_own")
    counts = [_counts(release, name) for name in tables]
    for file in release.manifest.files_of("packed_pages"):
        for table in released_tables(release.layout.table_file(file.file)):
            for row in table.to_pylist():
                expected = tuple(each.get(row["capture"], 0) for each in counts)
                if wrong := _wrong_page(row, expected):
                    yield file, wrong


def _wrong_page(row: dict[str, Any], expected: tuple[int, ...]) -> str | None:
    try:
        page = unpack(row)
    except DamagedError as error:
        return error.message
    found = (page.nodes.num_rows, len(page.inherited), len(page.own))
    if found == expected:
        return None
    numbers = ", ".join(
        f"{one} instead of {other}" for one, other in zip(found, expected, strict=True)
    )
    return f"the packed page of capture {row['capture']} has other nodes and styles: {numbers}"
