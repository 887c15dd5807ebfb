"""The recording proxy: every request of a tab goes through it, and is written down as it passes.

One loopback port per slot: the port says which page asked. HTTP/1.1 to both sides; HTTPS is opened
with certificates of our own authority, the origin's are verified. A bad certificate of an origin
makes Chromium fail with a certificate error, as it would without a proxy; whatever else keeps an
answer from coming is a 4xx or 5xx of our own that names the reason (RFC 9209).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.gate import Gate
from webgeist.capture.recorder.relay import Relay
from webgeist.capture.recorder.slot import ProxySlot
from webgeist.capture.recorder.upstream import Lines, verifying_context

if TYPE_CHECKING:
    import ssl

    from webgeist.capture.recorder.authority import Authority
    from webgeist.settings import Settings


class RecordingProxy:
    """A `Recorder`. `gate` and `tls` (how origins are verified) follow the settings and the system
    unless given. Make it, use it and close it in one event loop.
    """

    form = "proxy"

    def __init__(
        self,
        settings: Settings,
        authority: Authority,
        *,
        gate: Gate | None = None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._settings = settings
        self._authority = authority
        self._gate = gate or Gate.of(settings.gate)
        self._tls = tls or verifying_context()
        self._ports: set[int] = set()
        self._slots: list[ProxySlot] = []

    @property
    def arguments(self) -> tuple[str, ...]:
        return (f"--ignore-certificate-errors-spki-list={self._authority.spki}",)

    async def slot(self) -> ProxySlot:
        lines = Lines(self._gate, self._tls, self._ports)
        relay = Relay(lines, self._settings.recorder.idle_seconds)
        slot = ProxySlot(self._authority, relay, self._settings)
        self._ports.add(slot.port)
        self._slots.append(slot)
        return slot

    async def close(self) -> None:
        for slot in self._slots:
            await slot.close()
        self._slots.clear()
