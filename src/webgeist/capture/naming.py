"""What a capture's folder is called: readable, sorted by host, page and time."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from webgeist.capture.info import CaptureInfo

_UNSAFE = re.compile(r"[^A-Za-z0-9.]+")
_LONGEST_PATH = 60


def folder_name(info: CaptureInfo) -> str:
    """Unique for URL, viewport and time. No two captures of one page start in one microsecond."""
    parts = urlsplit(info.url)
    host = _UNSAFE.sub("-", parts.hostname or "file")
    path = _UNSAFE.sub("-", parts.path).strip("-.")[-_LONGEST_PATH:].strip("-.") or "index"
    identity = f"{info.requested_url} {info.viewport.name}".encode("utf-8", "replace")
    digest = blake2b(identity, digest_size=3).hexdigest()
    return f"{host}/{path}-{info.viewport.name}-{info.time:%Y%m%dT%H%M%S.%f}-{digest}"
