"""What the sample web knows about one of its sites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@dataclass(frozen=True)
class Site:
    """One host of the sample web. The demo and the benchmarks capture its `pages`."""

    name: str
    title: str
    app: ASGIApp
    pages: tuple[str, ...] = ("/",)
    aliases: tuple[str, ...] = ()  # more host names that the same application answers
