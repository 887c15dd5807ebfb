"""A camera without a recorder: the gate is under it all the same, and pages fail as they would."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import pytest_asyncio
from tests.capture.conftest import only_here
from tests.capture.recorder.houses import ALLOWED, FORBIDDEN, open_street
from tests.capture.test_fault_servers import REASONS, outcomes

from webgeist import aio
from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.outcome import Outcome
from webgeist.capture.recorder.tunnel import Tunnel
from webgeist.capture.target import Target, parse_target
from webgeist.samples.museum.servers import closed_port, nasty

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from tests.conftest import SettingsMaker, Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

SHUT: dict[str, object] = {"allow_private": False}


async def test_by_default_this_machine_is_out_of_reach(
    make_settings: SettingsMaker, site: Site
) -> None:
    url = site.add("/", "<p>words")
    async with Camera(make_settings(gate=SHUT)) as camera:
        capture = await camera.capture(Target(url))
        host = await camera.capture(Target(site.url("/", "site.localhost")))
    assert (capture.info.outcome, host.info.outcome) == (Outcome.WITHHELD, Outcome.WITHHELD)
    remedy = "is no public address (--allow-private, or --allow, would let it through)"
    assert capture.info.reason == f"127.0.0.1 {remedy}"
    assert host.info.reason == f"site.localhost is 127.0.0.1, which {remedy}"
    assert (capture.exchanges, capture.page) == ((), None)
    assert site.log == []


async def test_so_it_is_for_a_script(make_settings: SettingsMaker, site: Site) -> None:
    url = site.add("/", "<p>words")
    capture = await aio.capture(url, settings=make_settings(gate=SHUT))
    assert capture.info.outcome is Outcome.WITHHELD
    assert site.log == []


async def test_an_allowed_network_is_reached_and_no_other(make_settings: SettingsMaker) -> None:
    settings = make_settings(gate={**SHUT, "allow": f"{ALLOWED}/32"})
    async with open_street() as street, Camera(settings) as camera:
        street.allowed.page = f"<p>words<img src={street.forbidden.url(FORBIDDEN, '/x')}>"
        capture = await camera.capture(Target(street.allowed.url(ALLOWED, "/")))
        assert capture.ok
        assert street.forbidden.visits == 0
    page, picture = capture.requests.to_pylist()
    assert (page["status"], page["address"], page["exchange"]) == (200, ALLOWED, None)
    assert (picture["status"], picture["address"]) == (None, None)
    assert picture["error"].startswith("127.0.0.1 is no public address")
    assert capture.exchanges == ()


async def test_where_all_is_allowed_chromium_connects_itself(
    make_settings: SettingsMaker, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webgeist.capture.camera.Tunnel", None)
    async with Camera(make_settings(gate={"allow_private": True})) as camera:
        capture = await camera.capture(Target(site.add("/", "<p>words")))
    assert capture.ok
    assert capture.requests.column("address").to_pylist() == ["127.0.0.1"]


async def test_a_saved_page_needs_no_gate(make_settings: SettingsMaker, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text("<p>Saved<img src=http://h.localhost/x.png>")
    async with Camera(make_settings(gate=SHUT)) as camera:
        capture = await camera.capture(parse_target(str(tmp_path / "page.html")))
    assert capture.ok


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def camera(make_settings: SettingsMaker) -> AsyncIterator[Camera]:
    """Through a tunnel with an open gate, and with little patience."""
    settings = make_settings(
        limits={"navigation_seconds": 4, "settle_seconds": 1, "capture_seconds": 10}
    )
    tunnel = Tunnel(settings, Gate(allow_private=True, resolve=only_here, seconds=1))
    async with Camera(settings, tunnel) as camera:
        yield camera
    await tunnel.close()


@pytest.mark.parametrize(
    "name",
    ["reset", "reset-after-request", "reset-in-body", "closed", "half-closed", "silent",
     "silent-in-body", "closed-on-reuse", "length-too-long", "unfinished-chunks", "garbage",
     "tls-self-signed", "tls-garbage", "tls-closes", "tls-stalls"],
)  # fmt: skip
async def test_outcomes_are_what_they_are_without_a_tunnel(camera: Camera, name: str) -> None:
    with nasty(name) as address:
        capture = await camera.capture(Target(address.url))
    capture.close()
    assert capture.info.outcome in outcomes(name), capture.info.reason
    assert capture.info.reason == REASONS.get(name, capture.info.reason)


@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_hosts_that_cannot_be_reached_are_told_apart(camera: Camera, scheme: str) -> None:
    with closed_port() as port:
        refused = await camera.capture(Target(f"{scheme}://localhost:{port}/"))
    unknown = await camera.capture(Target(f"{scheme}://nosuch.example/"))
    nonsense = await camera.capture(Target(f"{scheme}://a..b/"))
    assert refused.info.outcome is Outcome.REFUSED
    assert refused.info.reason.startswith(f"localhost:{port}: it refused the connection")
    assert unknown.info.outcome is nonsense.info.outcome is Outcome.UNKNOWN_HOST
    assert unknown.info.reason.startswith("nosuch.example: its name could not be resolved")
    for capture in (refused, unknown, nonsense):
        capture.close()
