"""How answers are put together: JSON, and what lets a client keep them."""

from __future__ import annotations

import re
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
from starlette.responses import Response

from webgeist import __version__

if TYPE_CHECKING:
    from fastapi import Request

    from webgeist.repository.release import Release

FOR_GOOD = "private, max-age=31536000, immutable"  # what an address stands for never changes
ASK_AGAIN = "private, no-cache"  # it may have changed: the ETag says
_TAG = re.compile(r'(?:W/)?"([^"]*)"')


def json_reply(value: object, headers: dict[str, str] | None = None) -> Response:
    options = orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_NON_STR_KEYS
    body = orjson.dumps(value, default=str, option=options)
    return Response(body, headers=headers, media_type="application/json")


def tag_of(release: Release, request: Request, *more: str) -> str:
    """The ETag of what one release has at an address: both never change."""
    version = (__version__, release.manifest.time.isoformat(), str(release.number))
    asked = (request.url.path, request.url.query, *more)
    return sha256("\n".join((*version, *asked)).encode("utf-8", "replace")).hexdigest()[:32]


def unchanged(request: Request, tag: str, caching: str = ASK_AGAIN) -> Response | None:
    """The short answer to who has it already; None to who has not."""
    said = request.headers.get("if-none-match", "")
    if said.strip() != "*" and tag not in _TAG.findall(said):
        return None
    return Response(status_code=304, headers=kept(tag, caching))


def kept(tag: str, caching: str = ASK_AGAIN) -> dict[str, str]:
    return {"etag": f'"{tag}"', "cache-control": caching}


def exact(value: Any) -> Any:
    """A number of a 32-bit column in the digits that tell it apart, as the other forms have it."""
    return np.float32(value) if isinstance(value, float) else value
