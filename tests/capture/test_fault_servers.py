"""Servers that break below HTTP: each gives an outcome, and the next page is captured."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.conftest import ARGUMENTS, Studio, open_studio

from webgeist.capture import tab as tab_module
from webgeist.capture.outcome import Outcome
from webgeist.samples.museum.servers import NASTY_SERVERS, closed_port, nasty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import SettingsMaker, Site

BAD_RESPONSE, CONNECTION = Outcome.BAD_RESPONSE, Outcome.CONNECTION
CERTIFICATE, TIMEOUT, TRUNCATED = Outcome.CERTIFICATE, Outcome.TIMEOUT, Outcome.TRUNCATED

EXPECTED = {  # what is not simply captured
    **dict.fromkeys(("reset", "reset-after-request", "closed", "half-closed"), CONNECTION),
    **dict.fromkeys(("silent", "slow-headers", "endless-informational", "tls-stalls"), TIMEOUT),
    **dict.fromkeys(("reset-in-body", "silent-in-body", "length-too-long"), TRUNCATED),
    **dict.fromkeys(("length-huge", "unfinished-chunks", "endless-trailers"), TRUNCATED),
    **dict.fromkeys(("unread-request", "two-answers"), Outcome.NOT_HTML),
    **dict.fromkeys(("endless-headers", "huge-header", "huge-status-line"), BAD_RESPONSE),
    **dict.fromkeys(("garbage", "other-protocol", "http-0.9", "null-header"), BAD_RESPONSE),
    **dict.fromkeys(("unasked-upgrade", "length-twice", "wrong-encoding"), BAD_RESPONSE),
    **dict.fromkeys(("bad-chunk-size", "bad-chunk-end", "huge-chunk-size"), BAD_RESPONSE),
    "truncated-brotli": Outcome.EMPTY,
    "gzip-bomb": Outcome.TOO_LARGE,
    **dict.fromkeys(("tls-self-signed", "tls-expired", "tls-wrong-host"), CERTIFICATE),
    **dict.fromkeys(("tls-unknown-authority", "tls-wants-certificate"), CERTIFICATE),
    **dict.fromkeys(("tls-garbage", "tls-plain"), CERTIFICATE),
    "tls-closes": CONNECTION,
}
# What Chromium unpacks depends on its version.
EITHER = {"gzip-onion": {CONNECTION, Outcome.OK}}
# The body ends too early, and the connection with it.
BROKEN_OFF = {"reset-in-body", "length-too-long", "length-huge", "unfinished-chunks"}
# A page as fast as memory is written: how far it gets depends on the machine.
FLOODS = {"endless-body", "endless-chunks"}
REASONS = {
    "reset-in-body": "the document ended early: net::ERR_CONNECTION_RESET",
    "silent": "no answer within 4 s",
    "silent-in-body": "the document had not ended",
    "wrong-encoding": "net::ERR_CONTENT_DECODING_FAILED",
    "gzip-bomb": "a document of more than limits.file_bytes = 20000000",
}


@pytest.fixture(scope="module")
def hasty(make_settings: SettingsMaker) -> Iterator[Studio]:
    limits = {"navigation_seconds": 4, "settle_seconds": 1, "capture_seconds": 10}
    settings = make_settings(
        browser={"command_seconds": 2},
        capture={"screenshot": "jpeg"},
        limits={**limits, "file_bytes": 20_000_000},
    )
    with open_studio(settings) as studio:
        yield studio


@pytest.fixture(autouse=True)
def little_time_to_close(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tab_module, "_CLOSE_SECONDS", 1.0)


def test_the_table_names_servers_that_exist() -> None:
    assert set(NASTY_SERVERS) >= {*EXPECTED, *EITHER, *FLOODS, *REASONS}


def outcomes(name: str) -> set[Outcome]:
    """What a capture of a nasty server's page may come to."""
    return EITHER.get(name, {EXPECTED.get(name, Outcome.OK)})


@pytest.mark.parametrize("name", sorted(set(NASTY_SERVERS) - FLOODS))
def test_a_nasty_server_has_its_outcome(hasty: Studio, site: Site, name: str) -> None:
    fine = site.add("/", "<p>words")
    with nasty(name) as address:
        info = hasty.shoot(address.url).info
        assert info.outcome in outcomes(name), info.reason
        assert REASONS.get(name, info.reason) == info.reason
        # While the nasty server still runs: it may have a hold on the whole browser.
        assert hasty.shoot(fine).ok


@pytest.fixture(scope="module")
def reluctant(make_settings: SettingsMaker) -> Iterator[Studio]:
    """A Chromium that reads late what came, as on a busy machine: mostly the end overtakes it."""
    late = "--enable-features=HTMLParserYieldAndDelayOftenForTesting"
    with open_studio(make_settings(browser={"arguments": f"{ARGUMENTS} {late}"})) as studio:
        yield studio


@pytest.mark.parametrize("name", sorted(BROKEN_OFF))
def test_a_body_that_breaks_off_is_truncated_however_much_of_it_was_read(
    reluctant: Studio, name: str
) -> None:
    with nasty(name) as address:
        info = reluctant.shoot(address.url).info
    assert info.outcome is TRUNCATED, info.reason
    assert info.reason.startswith("the document ended early: net::ERR_")


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(FLOODS))
def test_a_flood_is_stopped(hasty: Studio, site: Site, name: str) -> None:
    with nasty(name) as address:
        info = hasty.shoot(address.url).info
        stopped = {Outcome.TOO_LARGE, Outcome.UNRESPONSIVE, TIMEOUT, TRUNCATED}
        assert info.outcome in stopped, info.reason
        assert hasty.shoot(site.add("/", "<p>words")).ok


def test_a_closed_port_refuses(hasty: Studio) -> None:
    with closed_port() as port:
        info = hasty.shoot(f"http://127.0.0.1:{port}/").info
    assert (info.outcome, info.reason) == (Outcome.REFUSED, "net::ERR_CONNECTION_REFUSED")
