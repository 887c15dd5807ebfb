"""An authority of the benchmark's own, and who trusts it: HTTPS without leaving the machine."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import ca, leaf
from webgeist.capture.recorder.upstream import verifying_context

if TYPE_CHECKING:
    import ssl
    from pathlib import Path


@dataclass(frozen=True)
class Trust:
    """`certificate` is for the server; `context` makes Python trust it, `argument` Chromium."""

    certificate: Path
    context: ssl.SSLContext
    argument: str


def make_trust(host: str, folder: Path) -> Trust:
    """A server's certificate for `host`, written to `folder`."""
    now = datetime.now(UTC)
    authority = ca("authority of the benchmark", now)
    site = leaf(authority, host, now)
    path = folder / "site.pem"
    path.write_text(site.chain_pem + site.key_pem)
    context = verifying_context()
    context.load_verify_locations(cadata=authority.pem)
    spki = Authority(authority).spki
    return Trust(path, context, f"--ignore-certificate-errors-spki-list={spki}")
