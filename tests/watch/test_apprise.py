"""Apprise, against a real server; and the hook that lets its process reach what the gate allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.watch.servers import Hook, hook

from webgeist.capture.gate import Gate
from webgeist.watch.apprise import AppriseService
from webgeist.watch.channels import DeliveryError
from webgeist.watch.messenger import guard
from webgeist.watch.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

REGION = {"kind": "edited", "place": "content", "type": "article", "text_before": "old"}
NOTICE = Notice(
    "id1", "change", "http://a.test/", "1 paragraph", {"regions": [REGION | {"text_after": "new"}]}
)
HERE = Gate(allow=("127.0.0.0/8",))


@pytest.fixture
def heard() -> Iterator[Hook]:
    with hook() as made:
        yield made


def _service(heard: Hook, gate: Gate = HERE, seconds: float = 60.0) -> AppriseService:
    return AppriseService(f"json://127.0.0.1:{heard.port}/secret", gate, seconds=seconds)


async def test_a_notice_is_sent_with_all_that_people_read(heard: Hook) -> None:
    await _service(heard).deliver(NOTICE)
    (got,) = heard.got
    assert got["title"] == "http://a.test/ changed: 1 paragraph"
    assert "- old\n+ new" in got["message"]
    assert "notice id1" in got["message"]


async def test_a_service_that_refuses_is_no_confirmation(heard: Hook) -> None:
    heard.status = 500
    with pytest.raises(DeliveryError, match="500"):
        await _service(heard).deliver(NOTICE)


async def test_a_service_that_hangs_is_given_up(heard: Hook) -> None:
    heard.status = None
    with pytest.raises(DeliveryError, match=r"did not confirm within 3 s|read timeout|timed out"):
        await _service(heard, seconds=3).deliver(NOTICE)


async def test_private_addresses_are_refused(heard: Hook) -> None:
    with pytest.raises(DeliveryError, match="no public address"):
        await _service(heard, Gate()).deliver(NOTICE)
    assert heard.got == []


async def test_a_redirect_comes_by_the_gate_as_well(heard: Hook) -> None:
    with hook() as inner:
        heard.status, heard.location = 307, f"http://127.0.0.2:{inner.port}/"
        with pytest.raises(DeliveryError):
            await _service(heard, Gate(allow=("127.0.0.1/32",))).deliver(NOTICE)
        assert inner.got == []


async def test_what_apprise_does_not_know_is_said_without_the_secret() -> None:
    service = AppriseService("nonsense://me:secret@a.test", HERE)
    with pytest.raises(DeliveryError) as raised:
        await service.deliver(NOTICE)
    assert "secret" not in str(raised.value)


def test_the_key_has_no_secret(heard: Hook) -> None:
    service = _service(heard)
    assert "secret" not in service.key
    assert service.key.startswith("apprise json ")


@pytest.mark.parametrize(
    ("event", "arguments", "reason"),
    [
        ("socket.connect", (None, ("10.0.0.1", 80)), "no public address"),
        ("socket.connect", (None, ("::1", 80, 0, 0)), "no public address"),
        ("socket.connect", (None, ("fe80::1%eth0", 80, 0, 2)), "no public address"),
        ("socket.connect", (None, ("a.test", 80)), "is a name"),
        ("socket.connect", (None, "/run/dbus/socket"), "a socket of this machine"),
        ("socket.connect", (None, b"\0abstract"), "a socket of this machine"),
        ("socket.sendto", (None, ("203.0.113.1", 514)), "does not allow"),
        ("subprocess.Popen", ("curl", [], None, None), "does not allow"),
        ("os.system", (b"curl",), "does not allow"),
    ],
)
def test_what_the_process_may_not_do(event: str, arguments: tuple[Any, ...], reason: str) -> None:
    refused: list[str] = []
    with pytest.raises(PermissionError, match=reason):
        guard(Gate(), refused)(event, arguments)
    assert len(refused) == 1


@pytest.mark.parametrize(
    ("event", "arguments"),
    [
        ("socket.connect", (None, ("93.184.216.34", 443))),
        ("socket.getaddrinfo", ("a.test", 443, 0, 0, 0)),
        ("open", ("/etc/ssl/certs/ca.pem", "r", 0)),
    ],
)
def test_what_it_may_do(event: str, arguments: tuple[Any, ...]) -> None:
    refused: list[str] = []
    guard(Gate(), refused)(event, arguments)
    assert refused == []
