"""Ways out that are no requests of a page: datagrams, names looked up, certificates fetched."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.x509.oid import AuthorityInformationAccessOID
from tests.capture.recorder.houses import ALLOWED, FORBIDDEN, open_street

from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import Identity, ca, leaf, server_context
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.target import Target
from webgeist.settings import Settings

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.capture.recorder.houses import Street

    from webgeist.capture.exchange import Recorder

# Where there is no interface but loopback, WebRTC gathers nothing, for ever: a second will do.
TALKING = """<p>words<img src=/hold><script>
const turn = {username: "u", credential: "c"};
const talk = new RTCPeerConnection({iceServers: [
  {urls: "stun:127.0.0.1:UDP"}, {urls: "turn:127.0.0.1:UDP?transport=udp", ...turn},
  {urls: "turn:127.0.0.1:PORT?transport=tcp", ...turn}]});
talk.createDataChannel("x");
const gathered = new Promise(go => { talk.onicecandidate = found => found.candidate || go(); });
talk.createOffer().then(offer => talk.setLocalDescription(offer));
const second = new Promise(go => setTimeout(go, 1000));
const refused = new WebTransport("https://127.0.0.1:UDP/x").ready.catch(() => 0);
Promise.all([refused, Promise.race([gathered, second])]).then(() => fetch("/xdone"));
</script>"""


class Ear(asyncio.DatagramProtocol):
    """Hears datagrams on a port of 127.0.0.1."""

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def datagram_received(self, data: bytes, addr: object) -> None:
        self.heard.append(data)


@asynccontextmanager
async def listening() -> AsyncIterator[tuple[Ear, int]]:
    loop = asyncio.get_running_loop()
    transport, ear = await loop.create_datagram_endpoint(Ear, (FORBIDDEN, 0))
    yield ear, transport.get_extra_info("sockname")[1]
    transport.close()


def settings(arguments: str = "", *, allow_private: bool = False) -> Settings:
    """No host-resolver rules of the tests' own: what Chromium may resolve is the question."""
    return Settings.model_validate(
        {
            "browser": {"arguments": arguments},
            "capture": {"screenshot": "none"},
            "gate": {"allow_private": allow_private, "allow": f"{ALLOWED}/32"},
        }
    )


def recorder_of(form: str, under: Settings, gate: Gate, folder: Path) -> Recorder | None:
    if form == "none":
        return None
    if form == "tunnel":
        return Tunnel(under, gate)
    return RecordingProxy(under, Authority.of_folder(folder), gate=gate)


@asynccontextmanager
async def behind_the_gate(
    form: str, street: Street, folder: Path, arguments: str = ""
) -> AsyncIterator[Camera]:
    under = settings(arguments, allow_private=form == "none")
    gate = Gate(allow=(f"{ALLOWED}/32",), resolve=street.names, seconds=10)
    recorder = recorder_of(form, under, gate, folder)
    async with Camera(under, recorder) as camera:
        yield camera
    if recorder is not None:
        await recorder.close()


@pytest.mark.parametrize("form", ["tunnel", "proxy", "none"])
async def test_no_datagram_leaves_behind_the_gate(form: str, tmp_path: Path) -> None:
    """Without the gate one does: the ear is there, and so is Chromium's mouth."""
    async with open_street() as street, listening() as (ear, port):
        allowed = street.allowed
        allowed.page = TALKING.replace("UDP", str(port)).replace("PORT", str(allowed.port))
        allowed.ready = lambda: bool(ear.heard) if form == "none" else "/xdone" in allowed.log
        async with behind_the_gate(form, street, tmp_path) as camera:
            capture = await camera.capture(Target(allowed.url(ALLOWED, "/")))
        capture.close()
        assert capture.ok, capture.info.reason
        assert bool(ear.heard) == (form == "none")
        assert street.forbidden.visits == 0 or form == "none"


HINTS = """<meta http-equiv=x-dns-prefetch-control content=on>
<link rel=dns-prefetch href=//hinted.localhost><link rel=preconnect href=http://joined.localhost>
<p>words <a href=http://linked.localhost/>link</a><img src=http://other.localhost:PORT/x>"""


@pytest.mark.parametrize("form", ["tunnel", "proxy"])
async def test_chromium_itself_looks_no_name_up(form: str, tmp_path: Path) -> None:
    log = tmp_path / "net.json"
    async with open_street() as street:
        allowed = street.allowed
        allowed.page = HINTS.replace("PORT", str(allowed.port))
        arguments = f"--log-net-log={log}"
        async with behind_the_gate(form, street, tmp_path, arguments) as camera:
            capture = await camera.capture(Target(allowed.url("allowed.localhost", "/")))
        capture.close()
        assert capture.ok
        assert "/x" in allowed.log
    assert names_looked_up(log) <= {"~notfound", "127.0.0.1"}  # the way out itself


def names_looked_up(log: Path) -> set[str]:
    """The names that Chromium's own resolver was asked for, as far as it had to find them out."""
    told = json.loads(log.read_text())
    kinds = told["constants"]["logEventTypes"]
    asked = {number for kind, number in kinds.items() if kind == "HOST_RESOLVER_MANAGER_REQUEST"}
    assert asked
    hosts = [
        each.get("params", {}).get("host", "") for each in told["events"] if each["type"] in asked
    ]
    return {host.rpartition("://")[2].partition(":")[0] for host in hosts if host}


def pointing(authority: Identity, host: str, url: str) -> Identity:
    """A certificate that says where the one of its unknown issuer can be had."""
    made = leaf(authority, host, datetime.now(UTC))
    old = made.certificate
    builder = x509.CertificateBuilder(
        old.issuer, old.subject, old.public_key(), old.serial_number,
        old.not_valid_before_utc, old.not_valid_after_utc, list(old.extensions),
    )  # fmt: skip
    where = x509.UniformResourceIdentifier(url)
    issuers = x509.AccessDescription(AuthorityInformationAccessOID.CA_ISSUERS, where)
    builder = builder.add_extension(x509.AuthorityInformationAccess([issuers]), critical=False)
    return Identity(builder.sign(authority.key, hashes.SHA256()), made.key)


@pytest.mark.parametrize("form", ["tunnel", "proxy", "none"])
async def test_a_missing_issuer_is_not_fetched_from_where_nobody_may_go(
    form: str, tmp_path: Path
) -> None:
    """A certificate may name an address, and Chromium asks there while it checks it."""
    authority = ca("unknown", datetime.now(UTC))

    def tls(port: int) -> ssl.SSLContext:
        url = f"http://{FORBIDDEN}:{port}/issuer"
        return server_context(pointing(authority, ALLOWED, url))

    async with open_street(tls) as street:
        async with behind_the_gate(form, street, tmp_path) as camera:
            capture = await camera.capture(Target(street.allowed.url(ALLOWED, "/", "https")))
        capture.close()
        assert capture.info.outcome is Outcome.CERTIFICATE
        assert any(each.refused for each in capture.exchanges) == (form == "tunnel")
        assert street.forbidden.log == (["/issuer"] if form == "none" else [])
