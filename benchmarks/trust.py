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
    """`context` makes Python trust an authority, `argument` Chromium. `certificate` is a server's,
    with its key.
    """

    context: ssl.SSLContext
    argument: str
    certificate: Path | None = None


def make_trust(host: str, folder: Path) -> Trust:
    """A server's certificate for `host`, written to `folder`."""
    now = datetime.now(UTC)
    identity = ca("authority of the benchmark", now)
    site = leaf(identity, host, now)
    path = folder / "site.pem"
    path.write_text(site.chain_pem + site.key_pem)
    return trust_in(Authority(identity), path)


def trust_in(authority: Authority, certificate: Path | None = None) -> Trust:
    context = verifying_context()
    context.load_verify_locations(cadata=authority.pem)
    argument = f"--ignore-certificate-errors-spki-list={authority.spki}"
    return Trust(context, argument, certificate)
