"""The recorder's certificate authority: made once, kept in a folder, asked for a leaf per host.

A recorder shows the browser leaves of its own authority, with the authority in the chain. Chromium
accepts them because it is told the hash of the authority's key; nobody else ever trusts it.
"""

from __future__ import annotations

import base64
import hashlib
import os
import tempfile
from collections import OrderedDict
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Self

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from webgeist.capture.recorder.certificates import Identity, ca, leaf, self_signed, server_context
from webgeist.errors import DamagedError, writing

if TYPE_CHECKING:
    import ssl

KEY_FILE, CERTIFICATE_FILE = "authority.key", "authority.pem"
_NAME = "webgeist recorder"
_MOST_HOSTS = 256  # contexts kept: each takes some 50 KB


class Authority:
    """Vouches for every host towards our own browser, and towards nobody else."""

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._contexts: OrderedDict[tuple[str, bool], ssl.SSLContext] = OrderedDict()

    @classmethod
    def of_folder(cls, folder: Path) -> Self:
        """The authority that is kept in `folder`; made if there is none. Only its owner may read
        the key. Of several processes that make one at the same time, all get the same.
        """
        with writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if not (folder / KEY_FILE).exists():
                _keep_new(folder)
        return cls(_read(folder))

    @property
    def pem(self) -> str:
        return self._identity.pem

    @property
    def spki(self) -> str:
        """What Chromium's --ignore-certificate-errors-spki-list takes."""
        key = self._identity.key.public_key().public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo
        )
        return base64.b64encode(hashlib.sha256(key).digest()).decode("ascii")

    def context(self, host: str, *, trusted: bool = True) -> ssl.SSLContext:
        """What to be `host` with. Not `trusted`: with a certificate that no browser accepts."""
        found = self._contexts.pop((host, trusted), None) or self._new_context(host, trusted)
        self._contexts[host, trusted] = found
        if len(self._contexts) > _MOST_HOSTS:
            self._contexts.popitem(last=False)
        return found

    def _new_context(self, host: str, trusted: bool) -> ssl.SSLContext:
        now = datetime.now(UTC)
        made = leaf(self._identity, host, now) if trusted else self_signed(host, now)
        context = server_context(made)
        context.set_alpn_protocols(["http/1.1"])
        return context


def _keep_new(folder: Path) -> None:
    """Key and certificate stand in one file each; the key comes last, and only once."""
    made = ca(_NAME, datetime.now(UTC))
    with tempfile.TemporaryDirectory(dir=folder, prefix=".authority-") as new:  # mode 0700
        key = Path(new, "key")
        key.touch(mode=0o600)
        key.write_text(made.key_pem + made.pem)
        try:
            os.link(key, folder / KEY_FILE)
        except FileExistsError:
            return
        certificate = Path(new, "certificate")
        certificate.write_text(made.pem)
        certificate.replace(folder / CERTIFICATE_FILE)


def _read(folder: Path) -> Identity:
    """Both from the one file that cannot be half there."""
    path = folder / KEY_FILE
    try:
        text = path.read_bytes()
        key = serialization.load_pem_private_key(text, password=None)
        certificate = x509.load_pem_x509_certificate(text)
    except (OSError, ValueError) as error:
        raise DamagedError(
            f"{path} holds no certificate authority: {error}",
            remedy="move it away; a new one is made",
        ) from error
    if not isinstance(key, ec.EllipticCurvePrivateKey):
        raise DamagedError(f"{path} holds a key of another kind", remedy="move it away")
    return Identity(certificate, key)
