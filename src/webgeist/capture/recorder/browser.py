"""The browser recorder: Chromium itself talks to servers, and tells what it heard.

Servers see Chromium's own TLS and HTTP, which some insist on. Underneath, connections go through a
tunnel that only decides who may be connected to. What Chromium does not tell is in docs/capture.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.recorder.watch import Watch

if TYPE_CHECKING:
    from webgeist.capture.exchange import Exchange, Session
    from webgeist.capture.gate import Gate
    from webgeist.capture.recorder.tunnel import TunnelSlot
    from webgeist.settings import Settings


class BrowserRecorder:
    """A `Recorder`. `gate` follows the settings unless given. Use it and close it in one loop."""

    form = "browser"

    def __init__(self, settings: Settings, gate: Gate | None = None) -> None:
        self._settings = settings
        self._tunnel = Tunnel(settings, gate)

    @property
    def arguments(self) -> tuple[str, ...]:
        return self._tunnel.arguments

    async def slot(self) -> BrowserSlot:
        return BrowserSlot(await self._tunnel.slot(), self._settings)

    async def close(self) -> None:
        await self._tunnel.close()


class BrowserSlot:
    """One tab's way out, which also attends to the tab. A tab is attended to from its opening,
    before its page begins, until that ends.
    """

    def __init__(self, tunnel: TunnelSlot, settings: Settings) -> None:
        self._tunnel = tunnel
        self._settings = settings
        self._watch: Watch | None = None

    @property
    def proxy(self) -> str:
        return self._tunnel.proxy

    def attend(self, session: Session) -> None:
        self._watch = self._watch or Watch(self._settings)
        self._watch.attend(session)

    def begin(self) -> None:
        self._tunnel.begin()

    async def end(self) -> list[Exchange]:
        watch, self._watch = self._watch, None
        if watch is None:
            await self._dialled()
            return []
        try:
            await watch.end()
            return watch.exchanges(await self._dialled())
        finally:
            await self._dialled()
            watch.close()

    async def _dialled(self) -> list[Exchange]:
        """The tunnel's connections, once. They tell how it went; bodies they have none."""
        dialled = await self._tunnel.end()
        for each in dialled:
            each.close()
        return dialled

    async def close(self) -> None:
        for exchange in await self.end():
            exchange.close()
        await self._tunnel.close()
