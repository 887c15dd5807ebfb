"""Webhooks, against real servers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.watch.servers import Hook, hook

from webgeist.capture.gate import Gate
from webgeist.errors import UsageError
from webgeist.watch.channels import DeliveryError
from webgeist.watch.notices import Notice
from webgeist.watch.webhook import Webhook

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTICE = Notice("id1", "change", "http://a.test/", "1 paragraph edited", {"score": 0.9})
HERE = Gate(allow=("127.0.0.0/8",))


@pytest.fixture
def heard() -> Iterator[Hook]:
    with hook() as made:
        yield made


async def test_a_notice_is_posted_as_json_with_its_id(heard: Hook) -> None:
    await Webhook(heard.url, HERE, "webgeist/test").deliver(NOTICE)
    assert heard.got == [NOTICE.to_dict()]
    assert heard.heads[0]["idempotency-key"] == "id1"
    assert heard.heads[0]["content-type"] == "application/json"
    assert heard.heads[0]["user-agent"] == "webgeist/test"


@pytest.mark.parametrize("status", [500, 404, 429])
async def test_anything_but_2xx_is_no_confirmation(heard: Hook, status: int) -> None:
    heard.status = status
    with pytest.raises(DeliveryError, match=f"answered {status}"):
        await Webhook(heard.url, HERE, "w").deliver(NOTICE)


async def test_a_server_that_hangs_is_given_up(heard: Hook) -> None:
    heard.status = None
    with pytest.raises(DeliveryError, match=r"did not answer within 0\.2 s"):
        await Webhook(heard.url, HERE, "w", seconds=0.2).deliver(NOTICE)


async def test_redirects_are_not_followed(heard: Hook) -> None:
    with hook() as inner:
        heard.status, heard.location = 307, inner.url
        with pytest.raises(DeliveryError, match=r"redirects \(307\)"):
            await Webhook(heard.url, HERE, "w").deliver(NOTICE)
        assert inner.got == []


async def test_private_addresses_are_refused(heard: Hook) -> None:
    with pytest.raises(DeliveryError, match="no public address"):
        await Webhook(heard.url, Gate(), "w").deliver(NOTICE)
    assert heard.got == []


async def test_nobody_there() -> None:
    with hook() as gone:
        pass
    with pytest.raises(DeliveryError, match="refused the connection"):
        await Webhook(gone.url, HERE, "w").deliver(NOTICE)


def test_the_key_has_no_secret(heard: Hook) -> None:
    one, other = (Webhook(heard.url + more, HERE, "w").key for more in ("", "2"))
    assert "secret" not in one
    assert one != other
    assert f"127.0.0.1:{heard.port}" in one


@pytest.mark.parametrize("url", ["ftp://a.test/", "a.test", "http://"])
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(UsageError, match="no address"):
        Webhook(url, HERE, "w")
