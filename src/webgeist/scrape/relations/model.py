"""A relation of a page: rows of nodes, and columns with names."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """The elements (or bare texts) that make a row, in document order; usually it is one."""

    nodes: tuple[int, ...]


@dataclass(frozen=True)
class Column:
    """A column: its name, and the node of each row that stands in it, or None."""

    name: str
    nodes: tuple[int | None, ...]


@dataclass(frozen=True)
class Relation:
    """What a page repeats. `score` says how sure a proposal is, from 0 to 1."""

    rows: tuple[Row, ...]
    columns: tuple[Column, ...]
    score: float = 1.0

    def __len__(self) -> int:
        return len(self.rows)
