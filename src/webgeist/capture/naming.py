"""What a capture's folder is called: readable, sorted by host, page and time."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from webgeist.capture.info import CaptureInfo

_UNSAFE = re.compile(r"[^A-Za-z0-9.]+")
_LONGEST_HOST = 100
_LONGEST_PATH = 60


def folder_name(info: CaptureInfo) -> str:
    """Unique for URL, viewport and time. No two captures of one page start in one microsecond.

    Two folders deep, whatever the URL: no name in it leads elsewhere or is too long for a disk.
    """
    host, path = _host_and_path(info.url)
    identity = f"{info.requested_url} {info.viewport.name}".encode("utf-8", "replace")
    digest = blake2b(identity, digest_size=3).hexdigest()
    return f"{host}/{path}-{info.viewport.name}-{info.time:%Y%m%dT%H%M%S.%f}-{digest}"


def _host_and_path(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        host, path = parts.hostname, parts.path
    except ValueError:  # an address that only a browser understands
        host, path = None, ""
    return _safe(host or "", _LONGEST_HOST) or "file", _safe(path, _LONGEST_PATH) or "index"


def _safe(text: str, longest: int) -> str:
    return _UNSAFE.sub("-", text).strip("-.")[-longest:].strip("-.")
