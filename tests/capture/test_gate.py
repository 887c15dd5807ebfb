"""The gate: every address that is not of the public internet stays shut, whatever form it has."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.gate import (
    Gate,
    RefusedError,
    carried,
    is_here,
    is_public,
    resolve_by_system,
)
from webgeist.capture.recorder.certificates import ca, leaf, server_context
from webgeist.samples.museum.servers import nasty
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Sequence

SPECIAL_V4 = [
    *("0.0.0.0", "0.1.2.3", "10.0.0.1", "10.255.255.255", "100.64.0.1", "100.127.255.255"),
    *("127.0.0.1", "127.255.255.254", "169.254.0.1", "169.254.169.254", "172.16.0.1"),
    *("172.31.255.255", "192.0.0.1", "192.0.0.8", "192.0.0.170", "192.0.2.1", "192.31.196.1"),
    *("192.52.193.1", "192.88.99.1", "192.168.0.1", "192.168.255.255", "192.175.48.1"),
    *("198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "224.0.0.1"),
    *("239.255.255.255", "240.0.0.1", "255.255.255.255"),
]
PUBLIC_V4 = ["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255",
    "100.128.0.0", "126.255.255.255", "128.0.0.0", "172.15.255.255", "172.32.0.0", "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255"]  # fmt: skip
SPECIAL_V6 = [
    *("::", "::1", "::7f00:1", "::808:808", "::ffff:0:7f00:1", "64:ff9b:1::1", "100::1"),
    *("100:0:0:1::1", "2001::", "2001:2::1", "2001:10::1", "2001:20::1", "2001:db8::1"),
    *("2620:4f:8000::1", "3fff::1", "5f00::1", "fc00::1", "fdff::1", "fe80::1", "febf::1"),
    *("fec0::1", "feff::1", "ff00::1", "ff02::1", "ff0e::1"),
]
PUBLIC_V6 = ["2001:4860:4860::8888", "2600::1", "2a00:1450:4001:80b::200e", "2400:cb00::1"]


def forms(v4: str) -> list[str]:
    """Every way to write an IPv4 address inside an IPv6 address that systems may unpack."""
    number = int(ipaddress.IPv4Address(v4))
    inverted = number ^ 0xFFFFFFFF
    return [
        f"::ffff:{v4}",
        f"64:ff9b::{v4}",
        str(ipaddress.IPv6Address((0x2002 << 112) | (number << 80) | 1)),
        str(ipaddress.IPv6Address((0x20010000 << 96) | (0x01010101 << 64) | inverted)),
        str(ipaddress.IPv6Address((0x20010000 << 96) | (number << 64) | (0x01010101 ^ 0xFFFFFFFF))),
    ]


@pytest.mark.parametrize("address", SPECIAL_V4 + SPECIAL_V6)
def test_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC_V4 + PUBLIC_V6)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", SPECIAL_V4)
def test_an_address_is_judged_by_what_it_carries(address: str) -> None:
    for form in forms(address):
        packed = ipaddress.ip_address(form)
        assert ipaddress.ip_address(address) in carried(packed), form
        assert not is_public(packed), form


def test_forms_of_public_addresses_are_public() -> None:
    assert [is_public(ipaddress.ip_address(form)) for form in forms("8.8.8.8")] == [True] * 5


class Resolver:
    """Answers one list of addresses after the other, and counts."""

    def __init__(self, *answers: Sequence[str]) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, int]] = []

    async def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append((host, port))
        return self._answers.pop(0)


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["8.8.8.8", "10.0.0.1"], ["10.0.0.1", "8.8.8.8"], ["8.8.8.8", "::1"],
     ["fe80::1%eth0"], []],
)  # fmt: skip
async def test_one_bad_address_is_enough(addresses: list[str]) -> None:
    gate = Gate(resolve=Resolver(addresses))
    with pytest.raises(RefusedError, match=r"^example\.org "):
        await gate.addresses("example.org", 80)


async def test_the_refusal_names_the_address_and_the_way_out() -> None:
    with pytest.raises(RefusedError) as caught:
        await Gate(resolve=Resolver(["8.8.8.8", "192.168.1.1"])).addresses("router.example", 80)
    assert "router.example is 192.168.1.1, which is no public address" in str(caught.value)
    assert "--allow-private" in str(caught.value)
    assert "--allow," in str(caught.value)


async def test_a_literal_is_not_said_to_be_itself() -> None:
    with pytest.raises(RefusedError, match=r"^192\.168\.1\.1 is no public address"):
        await Gate().addresses("192.168.1.1", 80)


@pytest.mark.parametrize(
    ("addresses", "here"),
    [
        (["127.0.0.1"], True),
        (["8.8.8.8", "127.9.9.9"], True),
        (["::1"], True),
        (["::ffff:127.0.0.1"], True),
        (["0.0.0.0"], True),
        (["::"], True),
        (["10.0.0.1", "2600::1"], False),
        ([], False),
    ],
)
def test_this_machine_is_known_in_every_form(addresses: list[str], here: bool) -> None:
    assert is_here(map(ipaddress.ip_address, addresses)) is here


async def test_all_addresses_of_a_good_name_may_be_dialled() -> None:
    resolver = Resolver(["8.8.8.8", "2600::1"])
    found = await Gate(resolve=resolver).addresses("Example.ORG.", 443)
    assert [str(address) for address in found] == ["8.8.8.8", "2600::1"]
    assert resolver.asked == [("example.org", 443)]


@pytest.mark.parametrize(
    "host",
    ["127.0.0.1", "[::1]", "::1", "[::ffff:127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
     "[fe80::1%25eth0]", "10.0.0.1.", "169.254.169.254"],
)  # fmt: skip
async def test_literals_are_judged_without_a_resolver(host: str) -> None:
    with pytest.raises(RefusedError):
        await Gate(resolve=Resolver()).addresses(host, 80)


async def test_public_literals_pass() -> None:
    assert [str(a) for a in await Gate(resolve=Resolver()).addresses("[2600::1]", 80)] == [
        "2600::1"
    ]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "localhost.", "shop.localhost"])
async def test_localhost_never_reaches_a_name_server(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object, **__: object) -> None:
        raise AssertionError("asked a name server")

    monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", fail)
    with pytest.raises(RefusedError, match=r"is 127\.0\.0\.1"):
        await Gate().addresses(host, 80)


async def test_the_system_knows_itself() -> None:
    assert list(await resolve_by_system("127.0.0.1", 80)) == ["127.0.0.1"]


@pytest.mark.parametrize("host", ["a..b", f"{'a' * 64}.example", ".example"])
async def test_what_can_be_no_name_is_an_unknown_one(host: str) -> None:
    """No name server is asked: the name does not even fit into a question."""
    with pytest.raises(socket.gaierror):
        await Gate().addresses(host, 80)


async def test_a_resolver_that_does_not_answer_runs_out_of_time() -> None:
    async def silent(host: str, port: int) -> Sequence[str]:
        await asyncio.Event().wait()
        return []

    with pytest.raises(TimeoutError, match=r"no address of slow\.example within 0\.05 s"):
        await Gate(resolve=silent, seconds=0.05).addresses("slow.example", 80)


@pytest.mark.parametrize(
    ("allow", "address", "allowed"),
    [
        ("10.1.0.0/16", "10.1.2.3", True),
        ("10.1.0.0/16", "10.2.0.1", False),
        ("fd00::/8", "fd12::1", True),
        ("fd00::/8", "10.0.0.1", False),
        ("127.0.0.0/8 ::1/128", "::1", True),
        ("10.1.0.0/16", "::ffff:10.1.2.3", False),
    ],
)
async def test_an_allowed_network_opens_that_network_only(
    allow: str, address: str, allowed: bool
) -> None:
    gate = Gate(allow=tuple(allow.split()), resolve=Resolver([address]))
    if allowed:
        assert [str(a) for a in await gate.addresses("h", 80)] == [address]
    else:
        with pytest.raises(RefusedError):
            await gate.addresses("h", 80)


def test_the_settings_make_the_gate() -> None:
    settings = Settings.model_validate(
        {"gate": {"allow_private": True, "allow": "10.0.0.0/8 fd00::/8", "connect_seconds": 3}}
    )
    gate = Gate.of(settings.gate)
    assert (gate.allow_private, gate.seconds) == (True, 3)
    assert gate.allow == ("10.0.0.0/8", "fd00::/8")
    assert Gate.of(Settings().gate) == Gate()


def test_a_network_that_is_none_is_a_wrong_setting() -> None:
    with pytest.raises(ValueError, match=r"10\.1/99"):
        Settings.model_validate({"gate": {"allow": "10.1/99"}})


class Greeter:
    """A server that says hello to whoever connects."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls

    async def __aenter__(self) -> int:
        self._server = await asyncio.start_server(self._greet, "127.0.0.1", 0, ssl=self._tls)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def _greet(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello")
        writer.close()

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()


async def hello(gate: Gate, host: str, port: int, tls: ssl.SSLContext | None = None) -> bytes:
    reader, writer = await gate.dial(host, port, tls)
    said = await reader.read()
    writer.close()
    await writer.wait_closed()
    return said


async def test_what_was_checked_is_dialled_though_the_name_changes() -> None:
    """The second resolution would lead to where nobody may go; it never happens."""
    resolver = Resolver(["127.0.0.1"], ["127.0.0.2"])
    async with Greeter() as port:
        gate = Gate(allow=("127.0.0.1/32",), resolve=resolver)
        assert await hello(gate, "moving.example", port) == b"hello"
    assert len(resolver.asked) == 1


async def test_a_name_that_has_moved_is_refused() -> None:
    resolver = Resolver(["127.0.0.1"], ["127.0.0.2"])
    gate = Gate(allow=("127.0.0.1/32",), resolve=resolver)
    async with Greeter() as port:
        await hello(gate, "moving.example", port)
        with pytest.raises(RefusedError, match=r"127\.0\.0\.2"):
            await gate.dial("moving.example", port)


async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    async with Greeter() as port:
        gate = Gate(allow_private=True, resolve=Resolver(["127.0.0.2", "127.0.0.1"]))
        assert await hello(gate, "two.example", port) == b"hello"


async def test_the_last_failure_is_told() -> None:
    async with Greeter() as port:
        gate = Gate(allow_private=True, resolve=Resolver(["127.0.0.2", "127.0.0.3"]))
        with pytest.raises(ConnectionRefusedError):
            await gate.dial("two.example", port)


async def test_a_server_that_does_not_answer_runs_out_of_time() -> None:
    gate = Gate(allow_private=True, seconds=0.05)
    late = pytest.raises(TimeoutError, match=r"no answer from 127\.0\.0\.1 within 0\.05 s")
    with nasty("tls-stalls") as address, late:
        await gate.dial("localhost", address.port, ssl.create_default_context())


async def test_certificates_are_checked_against_the_name_not_the_address() -> None:
    now = datetime.now(UTC)
    authority = ca("test", now)
    trust = ssl.create_default_context(cadata=authority.pem)
    gate = Gate(allow_private=True)
    async with Greeter(server_context(leaf(authority, "shop.localhost", now))) as port:
        assert await hello(gate, "Shop.localhost.", port, trust) == b"hello"
        with pytest.raises(ssl.SSLCertVerificationError):
            await gate.dial("other.localhost", port, trust)
