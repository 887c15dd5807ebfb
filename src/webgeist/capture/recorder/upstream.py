"""Connections to origins: through the gate, certificates checked, kept for the next request."""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from webgeist.capture.exchange import Tls
from webgeist.capture.gate import Endpoint, Gate, RefusedError, is_here
from webgeist.capture.recorder.ahead import Ahead
from webgeist.capture.recorder.wire import Wire

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from webgeist.capture.gate import Address
    from webgeist.capture.recorder.origin import Origin

_MOST_IDLE = 32  # kept connections of one slot
_CAUSES: tuple[tuple[type[Exception], str, str], ...] = (
    (RefusedError, "destination_ip_prohibited", ""),
    (ssl.SSLCertVerificationError, "tls_certificate_error", "its certificate is not to be trusted"),
    (ssl.SSLError, "tls_protocol_error", "TLS failed"),
    (socket.gaierror, "dns_error", "its name could not be resolved"),
    (TimeoutError, "connection_timeout", "it does not answer"),
    (ConnectionRefusedError, "connection_refused", "it refused the connection"),
)
_NO_WAY = frozenset(
    {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EHOSTDOWN, errno.ENETDOWN, errno.EADDRNOTAVAIL}
)
_KEPT_SECONDS = 30.0  # an idle one older than that has often been closed by its server


class OriginError(Exception):
    """No answer can come from the origin. `cause` is an error type of RFC 9209."""

    def __init__(self, cause: str, sentence: str, tls: Tls | None = None) -> None:
        super().__init__(sentence)
        self.cause = cause
        self.tls = tls

    @property
    def refused(self) -> bool:
        """Whether it was us who did not let the request out."""
        return self.cause in {"destination_ip_prohibited", "proxy_loop_detected"}


@dataclass
class Line:
    """A connection to an origin. `fresh` until it has carried a request."""

    wire: Wire
    origin: Origin
    address: str
    tls: Tls | None
    fresh: bool = True
    kept_at: float = 0.0


def verifying_context() -> ssl.SSLContext:
    """Trusts what the system trusts; speaks HTTP/1.1 only."""
    context = ssl.create_default_context()
    context.set_alpn_protocols(["http/1.1"])
    return context


class Lines:
    """The connections of one slot. `own_ports` are those of the proxies of this process: a page
    that asks a proxy to ask itself would go round for ever.
    """

    def __init__(self, gate: Gate, tls: ssl.SSLContext, own_ports: Collection[int]) -> None:
        self._gate = gate
        self._tls = tls
        self._own_ports = own_ports
        self._idle: dict[Origin, list[Line]] = {}  # each list: oldest first
        self._ahead = Ahead(self.dial, self.give_back)

    def expect(self, origin: Origin) -> bool:
        """Be ready for a request to `origin`. False if it was not reached lately: then connect to
        see whether it can be.
        """
        ready = sum(line.wire.idle for line in self._idle.get(origin, ()))
        return self._ahead.expect(origin, ready, _now())

    async def take(self, origin: Origin) -> Line:
        """A connection to `origin`, kept or new. OriginError if there can be none."""
        self._ahead.asked(origin)
        kept = self._idle.get(origin, [])
        while kept:
            line = kept.pop()
            line.wire.on_end = None
            if line.wire.idle and _now() - line.kept_at <= _KEPT_SECONDS:
                return line
            line.wire.abort()
        return await self._ahead.take(origin) or await self.dial(origin)

    def give_back(self, line: Line) -> None:
        """Keep a connection that is at rest for the next request, until its server ends it."""
        line.fresh, line.kept_at = False, _now()
        self._idle.setdefault(line.origin, []).append(line)
        self._idle = {origin: lines for origin, lines in self._idle.items() if lines}
        line.wire.on_end = partial(self._drop, line)
        if line.wire.ended:
            self._drop(line)
        for lines in self._idle.values():
            while lines and _now() - lines[0].kept_at > _KEPT_SECONDS:
                self._drop(lines[0])
        if sum(map(len, self._idle.values())) > _MOST_IDLE:
            some = filter(None, self._idle.values())
            self._drop(min(some, key=lambda lines: lines[0].kept_at)[0])

    def _drop(self, line: Line) -> None:
        line.wire.on_end = None
        self._idle[line.origin].remove(line)
        line.wire.abort()

    async def close(self) -> None:
        await self._ahead.close()
        lines = [line for lines in self._idle.values() for line in lines]
        for line in lines:
            self._drop(line)
            await line.wire.gone

    async def dial(self, origin: Origin) -> Line:
        """A new connection to `origin`. OriginError if there can be none."""
        tls = self._tls if origin.scheme == "https" else None
        try:
            addresses = await self._gate.addresses(origin.host, origin.port)
            self._refuse_loop(origin, addresses)
            wire = Wire()
            end = Endpoint(origin.host, origin.port, tls)
            await self._gate.connect(lambda: wire, addresses, end)
        except (RefusedError, OSError) as error:
            raise explained(error, origin) from error
        self._ahead.reached(origin, _now())
        peer = wire.transport.get_extra_info("peername")
        return Line(wire, origin, str(peer[0]) if peer else "", _verdict(wire))

    def _refuse_loop(self, origin: Origin, addresses: list[Address]) -> None:
        if origin.port in self._own_ports and is_here(addresses):
            raise OriginError("proxy_loop_detected", f"{origin.url()} is webgeist's own proxy")


def _now() -> float:
    return asyncio.get_running_loop().time()


def explained(error: RefusedError | OSError, origin: Origin) -> OriginError:
    """Why there is no connection, in the words of RFC 9209."""
    cause, what = _cause(error)
    if isinstance(error, RefusedError):
        return OriginError(cause, str(error))
    if isinstance(error, ssl.SSLCertVerificationError):
        problem = error.verify_message or str(error)
        tls = Tls(problem, "", "", "", "")
        return OriginError(cause, f"{origin.authority}: {what}: {problem}", tls)
    detail = getattr(error, "reason", None) or error.strerror or str(error)
    return OriginError(cause, f"{origin.authority}: {what}" + (f": {detail}" if detail else ""))


def _cause(error: RefusedError | OSError) -> tuple[str, str]:
    for kind, cause, what in _CAUSES:
        if isinstance(error, kind):
            return cause, what
    if isinstance(error, OSError) and error.errno in _NO_WAY:
        return "destination_ip_unroutable", "there is no way to it"
    return "connection_terminated", "the connection failed"


def _verdict(wire: Wire) -> Tls | None:
    """What the certificate says that was found to be good."""
    shown = wire.transport.get_extra_info("ssl_object")
    if shown is None:
        return None
    certificate = shown.getpeercert() or {}
    return Tls(
        problem="",
        protocol=shown.version() or "",
        subject=_name(certificate.get("subject", ())),
        issuer=_name(certificate.get("issuer", ())),
        expires=str(certificate.get("notAfter", "")),
    )


def _name(parts: Iterable[Iterable[tuple[str, str]]]) -> str:
    """A distinguished name on one line, as in `organizationName=…, commonName=…`."""
    return ", ".join(f"{key}={text}" for part in parts for key, text in part)
