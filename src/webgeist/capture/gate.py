"""The egress gate: who may be connected to. Names are resolved once; what was checked is dialled.

A page can name any host, and a name can mean another address each time it is asked. So every
address that a name has must be allowed, and the connection goes to one of those literal addresses.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Self

from webgeist.capture.race import first_connection, late

if TYPE_CHECKING:
    import ssl
    from collections.abc import Awaitable, Callable, Iterable, Sequence

    from webgeist.settings.models import GateSettings

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address
    Network = ipaddress.IPv4Network | ipaddress.IPv6Network
    Resolve = Callable[[str, int], Awaitable[Sequence[str]]]

_V4 = ipaddress.IPv4Network
_V6 = ipaddress.IPv6Network

# What Python 3.11 calls global and is not for us (3.11's tables are older than IANA's).
_SPECIAL: tuple[Network, ...] = (
    _V4("0.0.0.0/8"),
    _V4("100.64.0.0/10"),
    _V4("192.0.0.0/24"),
    _V4("192.31.196.0/24"),
    _V4("192.52.193.0/24"),
    _V4("192.88.99.0/24"),
    _V4("192.175.48.0/24"),
    _V4("198.18.0.0/15"),
    _V4("224.0.0.0/4"),
    _V4("240.0.0.0/4"),
    _V6("::/96"),
    _V6("::ffff:0:0:0/96"),
    _V6("64:ff9b:1::/48"),
    _V6("100::/64"),
    _V6("100:0:0:1::/64"),
    _V6("2001::/23"),
    _V6("2001:db8::/32"),
    _V6("2620:4f:8000::/48"),
    _V6("3fff::/20"),
    _V6("5f00::/16"),
    _V6("fc00::/7"),
    _V6("fe80::/10"),
    _V6("fec0::/10"),
    _V6("ff00::/8"),
)
_NAT64 = _V6("64:ff9b::/96")
_LOW_32_BITS = 0xFFFFFFFF


class RefusedError(Exception):
    """The gate does not let this connection out; the text names the rule."""


def carried(address: Address) -> list[Address]:
    """The address itself and every IPv4 address that is written inside it."""
    found: list[Address] = [address]
    if isinstance(address, ipaddress.IPv6Address):
        inside = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
        if address in _NAT64:
            inside.append(ipaddress.IPv4Address(int(address) & _LOW_32_BITS))
        found += [each for each in inside if each is not None]
    return found


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet, also in its IPv4-in-IPv6 forms."""
    forms = carried(address)
    # A form that carries another address is as public as what it carries.
    judged = forms[1:] if len(forms) > 1 else forms
    return all(_is_plainly_public(each) for each in judged)


def _is_plainly_public(address: Address) -> bool:
    special = any(address.version == net.version and address in net for net in _SPECIAL)
    return address.is_global and not address.is_multicast and not special


def is_here(addresses: Iterable[Address]) -> bool:
    """Whether one of them, in whatever form, is this machine itself."""
    forms = [form for address in addresses for form in carried(address)]
    return any(form.is_loopback or form.is_unspecified for form in forms)


async def resolve_by_system(host: str, port: int) -> Sequence[str]:
    """Every address of a name, by the system. `localhost` names never leave it (RFC 6761)."""
    if host == "localhost" or host.endswith(".localhost"):
        return ("127.0.0.1",)
    loop = asyncio.get_running_loop()
    try:
        found = await loop.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # a part of it is empty or too long: no name server has that
        raise socket.gaierror(socket.EAI_NONAME, f"{host} is no name of a host") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


@dataclass(frozen=True)
class Endpoint:
    """What a connection is for: the name stays what certificates are checked against."""

    host: str
    port: int
    tls: ssl.SSLContext | None = None


def plain_name(host: str) -> str:
    """A host as it is resolved and checked: no brackets, no final dot, lower case."""
    return host.strip("[]").rstrip(".").lower()


@dataclass(frozen=True)
class Gate:
    """Decides and dials. `allow` are further networks that may be reached, as in 127.0.0.0/8."""

    allow_private: bool = False
    allow: tuple[str, ...] = ()
    resolve: Resolve = resolve_by_system
    seconds: float = 15.0
    _networks: tuple[Network, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_networks", tuple(map(ipaddress.ip_network, self.allow)))

    @classmethod
    def of(cls, settings: GateSettings) -> Self:
        """The gate as the user wants it."""
        return cls(
            allow_private=settings.allow_private,
            allow=tuple(settings.allow.split()),
            seconds=settings.connect_seconds,
        )

    def check(self, host: str, addresses: Sequence[str]) -> list[Address]:
        """The addresses, if every one of them may be reached."""
        parsed = [ipaddress.ip_address(address.partition("%")[0]) for address in addresses]
        if not parsed:
            raise RefusedError(f"{host} has no address")
        for address in parsed:
            if not self._allows(address):
                what = host if host == str(address) else f"{host} is {address}, which"
                raise RefusedError(
                    f"{what} is no public address "
                    "(--allow-private, or --allow, would let it through)"
                )
        return parsed

    def _allows(self, address: Address) -> bool:
        if self.allow_private or is_public(address):
            return True
        return any(address.version == net.version and address in net for net in self._networks)

    async def addresses(self, host: str, port: int) -> list[Address]:
        """Resolve once, and check every address. RefusedError; OSError if there is none."""
        host = plain_name(host)
        try:
            literal = str(ipaddress.ip_address(host.partition("%")[0]))
        except ValueError:
            return self.check(host, await self._resolved(host, port))
        return self.check(host, [literal])

    async def _resolved(self, host: str, port: int) -> Sequence[str]:
        try:
            async with asyncio.timeout(self.seconds):
                return await self.resolve(host, port)
        except TimeoutError as error:
            raise TimeoutError(f"no address of {host} within {self.seconds:g} s") from error

    async def dial(
        self, host: str, port: int, tls: ssl.SSLContext | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """A connection to the first address that answers. RefusedError, or OSError of the last."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        addresses = await self.addresses(host, port)
        transport = await self.connect(lambda: protocol, addresses, Endpoint(host, port, tls))
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    async def connect(
        self,
        protocol: Callable[[], asyncio.BaseProtocol],
        addresses: Sequence[Address],
        end: Endpoint,
    ) -> asyncio.WriteTransport:
        """Connect to the first of the checked addresses that answers. OSError of the last."""
        connected = await first_connection(addresses, end.port, self.seconds)
        name = plain_name(end.host) if end.tls else None
        try:
            peer = connected.getpeername()[0]
            async with asyncio.timeout(self.seconds):
                transport, _ = await asyncio.get_running_loop().create_connection(
                    protocol, sock=connected, ssl=end.tls, server_hostname=name
                )
        except TimeoutError as error:
            raise late(peer, self.seconds) from error
        except BaseException:  # it may be over already: then there is no peer to ask for
            connected.close()
            raise
        return transport
