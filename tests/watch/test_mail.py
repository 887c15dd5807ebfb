"""E-mail, against a real mail server."""

from __future__ import annotations

import ssl
from base64 import b64encode
from datetime import UTC, datetime
from email import message_from_string, policy
from typing import TYPE_CHECKING

import pytest
from tests.watch.servers import Post, post

from webgeist.capture.gate import Gate
from webgeist.capture.recorder.certificates import ca, leaf, server_context
from webgeist.watch.channels import DeliveryError
from webgeist.watch.mail import Mail, Server
from webgeist.watch.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

REGION = {"kind": "edited", "place": "content", "type": "article", "text_before": "old"}
FACTS = {"regions": [REGION | {"text_after": "néw"}]}
NOTICE = Notice("id1", "change", "http://a.test/", "1 paragraph\r\nBcc: x@a.test", FACTS)
HERE = Gate(allow=("127.0.0.0/8",))


@pytest.fixture
def office() -> Iterator[Post]:
    with post() as made:
        yield made


def _mail(office: Post, gate: Gate = HERE, seconds: float = 20.0, **server: str) -> Mail:
    where = Server("127.0.0.1", office.port, **{"security": "none", **server})
    return Mail(where, "webgeist@a.test", "me@a.test", gate, seconds=seconds)


async def test_a_notice_is_sent_with_its_id(office: Post) -> None:
    await _mail(office).deliver(NOTICE)
    message = message_from_string(office.messages[0], policy=policy.default)
    assert (message["To"], message["From"]) == ("me@a.test", "webgeist@a.test")
    assert message["Message-ID"] == "<id1@webgeist.invalid>"
    assert message["Bcc"] is None, "a page cannot add headers"
    body = message.get_content()
    assert "- old" in body
    assert "+ néw" in body


async def test_who_has_a_user_logs_in(office: Post) -> None:
    await _mail(office, user="me", password="hush").deliver(NOTICE)
    sent = b64encode(b"\0me\0hush").decode()
    assert f"AUTH PLAIN {sent}" in office.said
    assert "hush" not in repr(Server("h", 25, password="hush"))


@pytest.mark.parametrize(
    ("word", "answer", "said"),
    [
        ("RCPT", "550 no such user", "refused the recipient"),
        ("MAIL", "451 try later", "answered 451 try later"),
        ("AUTH", "535 wrong password", "answered 535 wrong password"),
        ("DATA", "554 no", "answered 554 no"),
    ],
)
async def test_a_server_that_refuses(office: Post, word: str, answer: str, said: str) -> None:
    office.refuse[word] = answer
    with pytest.raises(DeliveryError, match=said):
        await _mail(office, user="me", password="hush").deliver(NOTICE)


async def test_a_server_that_hangs(office: Post) -> None:
    office.silent = True
    with pytest.raises(DeliveryError, match=r"within 0\.3 s|timed out"):
        await _mail(office, seconds=0.3).deliver(NOTICE)


async def test_a_server_without_starttls_gets_nothing(office: Post) -> None:
    with pytest.raises(DeliveryError, match="STARTTLS"):
        await _mail(office, security="starttls", user="me", password="hush").deliver(NOTICE)
    assert not any(line.startswith("AUTH") for line in office.said)


async def test_private_addresses_are_refused(office: Post) -> None:
    with pytest.raises(DeliveryError, match="no public address"):
        await _mail(office, Gate()).deliver(NOTICE)
    assert office.said == []


# --- encrypted --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def credentials() -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Of a server called mail.localhost, and of a client that trusts its authority."""
    now = datetime.now(UTC)
    authority = ca("authority of the test", now)
    trust = ssl.create_default_context(cadata=authority.pem)
    return server_context(leaf(authority, "mail.localhost", now)), trust


def _encrypted(
    port: int, security: str, trust: ssl.SSLContext | None, host: str = "mail.localhost"
) -> Mail:
    where = Server(host, port, security, "me", "hush")
    return Mail(where, "webgeist@a.test", "me@a.test", HERE, seconds=20, tls=trust)


@pytest.mark.parametrize("security", ["tls", "starttls"])
async def test_encrypted_before_anybody_logs_in(
    credentials: tuple[ssl.SSLContext, ssl.SSLContext], security: str
) -> None:
    server, trust = credentials
    with post(server, at_once=security == "tls") as office:
        await _encrypted(office.port, security, trust).deliver(NOTICE)
        assert office.encrypted
        assert len(office.messages) == 1
        words = [line.split()[0] for line in office.said]
        assert "AUTH" in words
        if security == "starttls":
            assert words.index("STARTTLS") < words.index("AUTH")


@pytest.mark.parametrize("security", ["tls", "starttls"])
@pytest.mark.parametrize("wrong", ["authority", "name"])
async def test_a_server_that_is_not_who_it_says(
    credentials: tuple[ssl.SSLContext, ssl.SSLContext], security: str, wrong: str
) -> None:
    server, trust = credentials
    with post(server, at_once=security == "tls") as office:
        host = "other.localhost" if wrong == "name" else "mail.localhost"
        mail = _encrypted(office.port, security, trust if wrong == "name" else None, host)
        with pytest.raises(DeliveryError, match=f"{host}.*certificate verify failed"):
            await mail.deliver(NOTICE)
        assert not any(line.startswith("AUTH") for line in office.said)
        assert office.messages == []
