"""The rule files that come with webgeist."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from webgeist.analyses.blocks.rules.compiler import Source


@lru_cache(maxsize=1)
def library() -> tuple[Source, ...]:
    """The standard predicates and templates, which every block type may use."""
    folder = files(__package__) / "library"
    return tuple(
        Source(name, (folder / name).read_text("utf-8"))
        for name in ("std.beryl", "templates.beryl")
    )
