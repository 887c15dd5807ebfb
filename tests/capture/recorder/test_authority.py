"""The recorder's authority: made once, readable by its owner only, the same for everybody."""

from __future__ import annotations

import base64
import hashlib
import ssl
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from webgeist.capture.recorder.authority import CERTIFICATE_FILE, KEY_FILE, Authority
from webgeist.errors import DamagedError, StorageError

if TYPE_CHECKING:
    from pathlib import Path


def chain_of(context: ssl.SSLContext, host: str, trusted: str) -> dict[str, object]:
    """The certificate that a client who trusts `trusted` gets to see, after all its checks."""
    to_client, to_server = ssl.MemoryBIO(), ssl.MemoryBIO()
    trust = ssl.create_default_context(cadata=trusted)
    trust.set_alpn_protocols(["h2", "http/1.1"])
    client = trust.wrap_bio(to_client, to_server, server_hostname=host)
    server = context.wrap_bio(to_server, to_client, server_side=True)
    done: set[ssl.SSLObject] = set()
    while len(done) < 2:
        for side in (client, server):
            try:
                side.do_handshake()
                done.add(side)
            except ssl.SSLWantReadError:
                continue
    assert client.selected_alpn_protocol() == "http/1.1"
    return dict(client.getpeercert() or {})


def test_it_is_made_once(tmp_path: Path) -> None:
    first = Authority.of_folder(tmp_path / "new" / "folder")
    second = Authority.of_folder(tmp_path / "new" / "folder")
    assert first.pem == second.pem
    assert first.spki == second.spki
    assert Authority.of_folder(tmp_path / "other").pem != first.pem


def test_only_its_owner_may_read_the_key(tmp_path: Path) -> None:
    authority = Authority.of_folder(tmp_path)
    assert (tmp_path / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert (tmp_path / CERTIFICATE_FILE).read_text() == authority.pem
    assert "PRIVATE" not in authority.pem
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([KEY_FILE, CERTIFICATE_FILE])


def test_who_come_at_the_same_time_get_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        made = list(threads.map(Authority.of_folder, [tmp_path] * 16))
    assert len({authority.spki for authority in made}) == 1
    assert (tmp_path / CERTIFICATE_FILE).read_text() == made[0].pem


def test_its_leaves_are_believed_by_who_trusts_it(tmp_path: Path) -> None:
    authority = Authority.of_folder(tmp_path)
    for host in ("example.org", "127.0.0.1", "::1", "a" * 60 + ".example.org"):
        assert chain_of(authority.context(host), host, authority.pem)


def test_a_host_that_is_not_to_be_trusted_is_not_vouched_for(tmp_path: Path) -> None:
    authority = Authority.of_folder(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError):
        chain_of(authority.context("h.example", trusted=False), "h.example", authority.pem)


def test_contexts_are_kept_but_not_for_ever(tmp_path: Path) -> None:
    authority = Authority.of_folder(tmp_path)
    first = authority.context("first.example")
    assert authority.context("first.example") is first
    assert authority.context("first.example", trusted=False) is not first
    for number in range(255):
        authority.context(f"h{number}.example")
    assert authority.context("first.example") is not first


def test_the_hash_is_that_of_the_key(tmp_path: Path) -> None:
    """As the flag's documentation makes it, with openssl."""
    authority = Authority.of_folder(tmp_path)
    command = ["openssl", "x509", "-in", str(tmp_path / CERTIFICATE_FILE), "-pubkey", "-noout"]
    public = subprocess.run(command, capture_output=True, check=True).stdout
    lines = [line for line in public.splitlines() if not line.startswith(b"-")]
    digest = hashlib.sha256(base64.b64decode(b"".join(lines))).digest()
    assert authority.spki == base64.b64encode(digest).decode()


@pytest.mark.parametrize("content", [b"", b"rubbish", b"-----BEGIN CERTIFICATE-----\n"])
def test_a_damaged_key_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / KEY_FILE).write_bytes(content)
    with pytest.raises(DamagedError, match=KEY_FILE):
        Authority.of_folder(tmp_path)


def test_a_folder_that_cannot_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError):
        Authority.of_folder(tmp_path / "file" / "authority")
