"""Certificates: believed when sound, refused for the right reason when not."""

from __future__ import annotations

import ssl
import tempfile
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.recorder.certificates import Identity, ca, leaf, self_signed, server_context

if TYPE_CHECKING:
    from pathlib import Path

HOST = "museum.localhost"


@pytest.fixture(scope="module")
def now() -> datetime:
    return datetime.now(UTC)


@pytest.fixture(scope="module")
def authority(now: datetime) -> Identity:
    return ca("test authority", now)


def shake_hands(server: ssl.SSLContext, trusted: str, host: str = HOST) -> None:
    """A whole TLS handshake in memory; raises what the client raises."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    client_context = ssl.create_default_context(cadata=trusted)
    client = client_context.wrap_bio(to_client, to_server, server_hostname=host)
    host_side = server.wrap_bio(to_server, to_client, server_side=True)
    done: set[ssl.SSLObject] = set()
    while len(done) < 2:
        for side in (client, host_side):
            try:
                side.do_handshake()
                done.add(side)
            except ssl.SSLWantReadError:
                continue


def refusal(identity: Identity, trusted: str, host: str = HOST) -> str:
    with pytest.raises(ssl.SSLCertVerificationError) as caught:
        shake_hands(server_context(identity), trusted, host)
    return caught.value.verify_message


def test_a_leaf_is_believed_by_who_trusts_its_authority(authority: Identity, now: datetime) -> None:
    shake_hands(server_context(leaf(authority, HOST, now)), authority.pem)


def test_a_leaf_can_be_for_a_host_with_a_long_name(authority: Identity, now: datetime) -> None:
    """A common name has 64 characters at most, a host up to 253."""
    host = ".".join(["label" * 10] * 4)
    shake_hands(server_context(leaf(authority, host, now)), authority.pem, host)


def test_a_leaf_can_be_for_an_address(authority: Identity, now: datetime) -> None:
    shake_hands(server_context(leaf(authority, "127.0.0.1", now)), authority.pem, "127.0.0.1")


def test_an_expired_leaf_is_refused_as_expired(authority: Identity, now: datetime) -> None:
    expired = leaf(authority, HOST, now - timedelta(days=31))
    assert "expired" in refusal(expired, authority.pem)
    assert expired.certificate.not_valid_after_utc < now


def test_a_leaf_for_another_host_is_refused_for_its_name(
    authority: Identity, now: datetime
) -> None:
    other = leaf(authority, "elsewhere.localhost", now)
    assert "Hostname mismatch" in refusal(other, authority.pem)


def test_a_leaf_of_an_unknown_authority_is_refused(authority: Identity, now: datetime) -> None:
    stranger = leaf(ca("stranger", now), HOST, now)
    assert "self-signed certificate in certificate chain" in refusal(stranger, authority.pem)


def test_a_self_signed_certificate_is_refused(authority: Identity, now: datetime) -> None:
    assert refusal(self_signed(HOST, now), authority.pem) == "self-signed certificate"


def test_a_leaf_cannot_act_as_an_authority(authority: Identity, now: datetime) -> None:
    sound = leaf(authority, HOST, now)
    forged = leaf(sound, "bank.localhost", now)
    refusal(forged, authority.pem, "bank.localhost")


def test_validity_is_counted_from_the_given_time(authority: Identity, now: datetime) -> None:
    later = leaf(authority, HOST, now + timedelta(days=365))
    assert "not yet valid" in refusal(later, authority.pem)


def test_server_sends_its_authority_along(authority: Identity, now: datetime) -> None:
    made = leaf(authority, HOST, now)
    assert made.chain_pem == made.pem + authority.pem
    assert authority.chain_pem == authority.pem


def test_no_file_is_left(
    authority: Identity, now: datetime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    server_context(leaf(authority, HOST, now))
    assert list(tmp_path.iterdir()) == []
