"""What there is to ask for: the root of the API, its limits, the releases."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from webgeist import __version__
from webgeist.repository.manifest import Manifest
from webgeist.server.described import json_answer, problems
from webgeist.server.replies import json_reply
from webgeist.server.serving import Shared
from webgeist.settings.models import ApiSettings

router = APIRouter(tags=["about"])
CONNECTIONS = 1_024  # at the same time; the next is sent away by uvicorn

_NO_LIMITS = frozenset({"host", "port", "pages_port", "token_file", "output", "cors"})
_LINKS = {
    "description": "/v1/openapi.json",
    "releases": "/v1/releases.json",
    "schema": "/v1/schema.json",
    "limits": "/v1/limits.json",
    "pages": "/v1/pages.json",
    "query": "/v1/query.json",
    "tables": "/v1/tables.json",
    "teachings": "/v1/teachings.json",
}


@router.get(
    "/v1/",
    summary="Where everything is",
    responses=json_answer(
        "The version, the newest release and where to go on.",
        {"webgeist": "0.1.0", "release": 3, "captures": 100, "links": {"pages": "/v1/pages.json"}},
    )
    | problems(),
)
async def root(serving: Shared) -> Response:
    """The way in. `release` is null where nothing was published yet."""
    newest = await serving.quick.run(lambda: serving.repository.releases()[-1:])
    facts = {
        "webgeist": __version__,
        "release": newest[0].release if newest else None,
        "captures": newest[0].captures if newest else 0,
    }
    return json_reply(facts | {"links": _LINKS})


@router.get(
    "/v1/releases.json",
    summary="The releases",
    responses=json_answer(
        "All that are there, newest last.",
        {
            "releases": [
                {
                    "release": 3,
                    "time": "2024-02-29T12:00:00+00:00",
                    "captures": 100,
                    "bytes": 1000000,
                    "tables": {"captures": 100, "nodes": 25100},
                }
            ]
        },
    )
    | problems(),
)
async def releases(serving: Shared) -> Response:
    """Published versions. Any of them can be asked with `release=`; the newest is the default."""
    found = await serving.quick.run(serving.repository.releases)
    return json_reply({"releases": [_release(manifest) for manifest in found]})


def _release(manifest: Manifest) -> dict[str, Any]:
    return {
        "release": manifest.release,
        "time": manifest.time.isoformat(timespec="seconds"),
        "captures": manifest.captures,
        "bytes": sum(file.bytes for file in manifest.files()),
        "tables": {name: table.rows for name, table in manifest.tables.items()},
    }


@router.get(
    "/v1/limits.json",
    summary="The limits",
    responses=json_answer(
        "Each limit that is in force, with what it bounds.",
        {
            "limits": {"body_bytes": {"value": 2000000, "what": "Bytes of a request's body."}},
            "now": {"streams": 0, "requests": 1, "queries": 0},
        },
    )
    | problems(),
)
async def limits(serving: Shared) -> Response:
    """What is bounded, by how much, and how much of it is in use."""
    values = serving.settings.api
    found: dict[str, Any] = {
        name: {"value": getattr(values, name), "what": field.description}
        for name, field in ApiSettings.model_fields.items()
        if name not in _NO_LIMITS
    }
    found["connections"] = {"value": CONNECTIONS, "what": "Connections at the same time."}
    now = {
        "streams": serving.streams.open,
        "requests": serving.quick.inside,
        "queries": serving.slow.inside,
    }
    return json_reply({"limits": found, "now": now})
