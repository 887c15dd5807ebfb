"""A capture: one rendering of one URL at one time in one viewport, with all that was seen."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Protocol

from webgeist.capture.outcome import WITH_PAGE

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.info import CaptureInfo
    from webgeist.capture.screenshot import Screenshot
    from webgeist.page.model import Page


class Parts(Protocol):
    """Where a capture's large parts come from: memory, or a folder that is read when asked."""

    def page(self) -> Page | None: ...
    def links(self) -> pa.Table: ...
    def requests(self) -> pa.Table: ...
    def screenshot(self) -> Screenshot | None: ...
    def thumbnail(self) -> bytes | None: ...


@dataclass(frozen=True, eq=False)
class Capture:
    """What one look at a page gave. `info` is always there; the rest is read when first used.

    `page` is None unless `has_page`: an outcome without a page still tells what happened.
    `exchanges` are what a recorder wrote down, as asked for; `close` gives their bodies back.
    """

    info: CaptureInfo
    parts: Parts
    exchanges: tuple[Exchange, ...] = ()

    @property
    def ok(self) -> bool:
        return self.info.ok

    @property
    def has_page(self) -> bool:
        return self.info.outcome in WITH_PAGE and self.info.nodes > 0

    @cached_property
    def page(self) -> Page | None:
        return self.parts.page()

    @cached_property
    def links(self) -> pa.Table:
        return self.parts.links()

    @cached_property
    def requests(self) -> pa.Table:
        return self.parts.requests()

    @cached_property
    def screenshot(self) -> Screenshot | None:
        return self.parts.screenshot()

    @cached_property
    def thumbnail(self) -> bytes | None:
        return self.parts.thumbnail()

    def save(self, folder: str | Path) -> Path:
        """Write everything to a new folder, complete or not at all, and return its path."""
        from webgeist.capture.folder import save

        return save(self, folder)

    def close(self) -> None:
        for exchange in self.exchanges:
            exchange.close()

    def __repr__(self) -> str:
        info = self.info
        return (
            f"<Capture {info.url} {info.outcome} {info.nodes} nodes at {info.time:%Y-%m-%d %H:%M}>"
        )

    def _repr_html_(self) -> str:
        """How a notebook shows it. Every captured string is escaped."""
        info = self.info
        picture = ""
        if self.thumbnail:
            data = base64.b64encode(self.thumbnail).decode("ascii")
            picture = f'<img alt="" style="max-width:320px" src="data:image/jpeg;base64,{data}">'
        title = info.metadata.title if info.metadata else ""
        rows = {
            "URL": info.url,
            "outcome": f"{info.outcome} {info.reason}".strip(),
            "time": f"{info.time:%Y-%m-%d %H:%M:%S} UTC",
            "viewport": f"{info.viewport.width}x{info.viewport.height}",
            "nodes": f"{info.nodes:,}",
            "requests": f"{self.requests.num_rows:,}",
            "links": f"{self.links.num_rows:,}",
        }
        cells = "".join(
            f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in rows.items()
        )
        return (
            f"<div><strong>{escape(title)}</strong><div>{picture}</div><table>{cells}</table></div>"
        )
