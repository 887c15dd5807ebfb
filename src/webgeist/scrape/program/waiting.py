"""What stands where a value will be: pages draw bars and "Loading…" until they know better."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_WORDS = re.compile(
    r"(loading|please wait|fetching)\W*"
    r"|(lädt|laden|wird geladen|einen moment|chargement|cargando|carregando|caricamento|laster"
    r"|læser|laddar|ładowanie|загрузка|yükleniyor|読み込み中|加载中|載入中)\s*(…|\.{2,}|。{2,})",
    re.IGNORECASE,
)
_FEW = 2  # rows that may well say the same


def is_awaited(value: str | None) -> bool:
    """Whether a value is only announced."""
    return value is not None and _WORDS.fullmatch(value.strip()) is not None


def are_awaited(rows: Sequence[Mapping[str, str | None]]) -> bool:
    """Whether rows stand for those that will come: one says so, or all of them say the same."""
    said = any(is_awaited(value) for row in rows for value in row.values())
    return said or (len(rows) > _FEW and all(row == rows[0] for row in rows))


def is_blank(row: Mapping[str, str | None]) -> bool:
    """Whether a row has all its cells, and nothing in them: a bar that waits to be filled."""
    return bool(row) and all(value == "" for value in row.values())
