"""GET /v1/resources: what servers sent, by the SHA-256 of its bytes. It is data, and never runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from webgeist.repository.archive.reader import StoredAnswer
from webgeist.server.described import SHA256, bytes_answer, json_answer, kept_answer, problems
from webgeist.server.problems import ProblemError
from webgeist.server.replies import FOR_GOOD, json_reply, kept, unchanged
from webgeist.server.serving import Serving, Shared
from webgeist.server.streaming import StreamReply

router = APIRouter(tags=["resources"])
_HASH = re.compile(r"[0-9a-f]{64}")
_CODINGS = frozenset({"gzip", "br", "deflate", "zstd"})
# What no browser runs, whatever is in it. Everything else is bytes.
SAFE_TYPES = frozenset(
    {
        *("image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/x-icon"),
        *("image/vnd.microsoft.icon", "image/bmp", "font/woff", "font/woff2", "font/ttf"),
        *("font/otf", "application/font-woff", "text/plain"),
    }
)
_OCTETS = "application/octet-stream"

HashPath = Annotated[str, Path(description="64 hex digits.", examples=[SHA256])]


@router.get(
    "/v1/resources/{sha256}.json",
    summary="What is known of a resource",
    responses=kept_answer(
        json_answer(
            "Where it came from first, and what was said of it.",
            {
                "sha256": SHA256,
                "url": "https://example.org/logo.png",
                "time": "2024-02-29T12:00:00+00:00",
                "status": 200,
                "bytes": 5120,
                "truncated": None,
                "headers": {"content-type": "image/png"},
                "links": {"bytes": f"/v1/resources/{SHA256}"},
            },
        )
    )
    | problems(),
)
async def resource_facts(request: Request, serving: Shared, sha256: HashPath) -> Response:
    """The first answer with these bytes. The table `resources` says which captures used them."""
    found = await _stored(serving, sha256)
    if same := unchanged(request, sha256, FOR_GOOD):
        return same
    facts: dict[str, Any] = {
        "sha256": found.body.sha256,
        "url": found.url,
        "time": found.time.isoformat(),
        "status": found.status,
        "bytes": found.body.size,
        "truncated": found.truncated or None,
        "headers": _headers(found),
        "links": {"bytes": f"/v1/resources/{sha256}"},
    }
    return json_reply(facts, kept(sha256, FOR_GOOD))


@router.get(
    "/v1/resources/{sha256}",
    summary="A resource's bytes",
    responses=kept_answer(bytes_answer("As a server sent them.", _OCTETS, *sorted(SAFE_TYPES)))
    | problems(),
)
async def resource_bytes(request: Request, serving: Shared, sha256: HashPath) -> Response:
    """To be saved, not shown: an attachment in a sandbox, of a type that nothing runs."""
    found = await _stored(serving, sha256)
    if same := unchanged(request, sha256, FOR_GOOD):
        return same
    said = _headers(found)
    headers = {
        "content-type": safe_type(said.get("content-type", "")),
        "content-length": str(found.body.size),
        "content-disposition": f'attachment; filename="{sha256}"',
        "content-security-policy": "sandbox; default-src 'none'",
        **kept(sha256, FOR_GOOD),
    }
    if (coding := said.get("content-encoding", "").strip().lower()) in _CODINGS:
        headers["content-encoding"] = coding
    return StreamReply(_chunks(found), headers, serving.quick, serving.streams)


def safe_type(said: str) -> str:
    """A media type that is no danger: the one said, or plain bytes."""
    kind = said.partition(";")[0].strip().lower()
    return kind if kind in SAFE_TYPES else _OCTETS


def _chunks(found: StoredAnswer) -> Iterator[bytes]:
    yield from found.body.chunks()


def _headers(found: StoredAnswer) -> dict[str, str]:
    return {
        name.decode("latin-1").lower(): value.decode("latin-1") for name, value in found.headers
    }


async def _stored(serving: Serving, sha256: str) -> StoredAnswer:
    if not _HASH.fullmatch(sha256):
        raise ProblemError(
            400,
            f"{sha256[:80]!r} is no SHA-256",
            remedy="64 hex digits in small letters; the table resources has them",
            where="path sha256",
        )
    return await serving.quick.run(lambda: serving.repository.resource(sha256))
