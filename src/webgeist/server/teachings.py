"""/v1/teachings: which changes are important to the users of this repository. The one thing that
the API writes: who may needs a token for it.
"""

from __future__ import annotations

import time
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from webgeist.analyses.changes.teachings import read_teachings, reset, teach
from webgeist.repository.repository import open_repository
from webgeist.server.described import CAPTURE, json_answer, problems
from webgeist.server.pages import CapturePath
from webgeist.server.problems import ProblemError
from webgeist.server.replies import json_reply
from webgeist.server.serving import Serving, Shared, capture_id

router = APIRouter(tags=["teachings"])
_EXAMPLE = {
    "id": "3f9a01c2",
    "time": "2024-02-29T12:00:00+00:00",
    "site": False,
    "of": "https://example.org/news",
    "before": CAPTURE,
    "after": CAPTURE,
    "important": False,
    "lessons": [{"place": "content", "type": "text", "text": "Shares rose."}],
}


_BODY = {
    "requestBody": {
        "content": {"application/json": {"example": {"important": False, "regions": [1]}}}
    }
}


def _may_write(request: Request) -> None:
    """The guard has looked at the token; without tokens anybody on this machine could."""
    if not request.app.state.writable:
        raise ProblemError(
            403,
            "without tokens this server only reads",
            remedy="webgeist token makes one; then start it with --token-file",
        )


class Verdict(BaseModel):
    """What a change is: all of it, or the `regions` of it with these numbers."""

    model_config = ConfigDict(extra="forbid", strict=True)

    important: bool = Field(description="Whether such a change is important.")
    regions: list[Annotated[int, Field(ge=1)]] = Field(
        default=[], max_length=100, description="Numbers from 1, as `changes` has them."
    )
    site: bool = Field(default=False, description="For all pages of the host.")


@router.get(
    "/v1/teachings.json",
    summary="What was taught",
    responses=json_answer("All of it, oldest first.", {"taught": [_EXAMPLE]}) | problems(),
)
async def list_teachings(serving: Shared) -> Response:
    """Which changes of which pages were said to be important, or not; and how they are found."""
    known = await serving.quick.run(lambda: read_teachings(serving.repository.layout))
    return json_reply({"taught": [each.document() for each in known.all]})


@router.put(
    "/v1/teachings/{before}/{after}.json",
    summary="Say that a change is important, or not",
    dependencies=[Depends(_may_write)],
    openapi_extra=_BODY,
    responses=json_answer("What was taught.", {"taught": [_EXAMPLE]}) | problems(507),
)
async def put_teaching(
    serving: Shared,
    before: CapturePath,
    after: CapturePath,
    verdict: Verdict,
) -> Response:
    """Between two captures of a page; said again, or to the contrary, it replaces what was said."""
    old, new = capture_id(before, "path before"), capture_id(after, "path after")

    def work() -> Response:
        with open_repository(serving.repository.layout.root) as repository:
            made = teach(
                repository,
                old,
                new,
                important=verdict.important,
                regions=verdict.regions,
                site=verdict.site,
                now=time.time(),
            )
        return json_reply({"taught": [made.document()]})

    return await serving.slow.run(work)


@router.delete(
    "/v1/teachings/{id}.json",
    summary="Forget what was taught",
    dependencies=[Depends(_may_write)],
    responses=json_answer("What is forgotten.", {"forgotten": [_EXAMPLE]}) | problems(507),
)
async def delete_teaching(
    serving: Shared,
    id_: Annotated[
        str, Path(alias="id", description="An id, a host, or all.", examples=["3f9a01c2"])
    ],
) -> Response:
    """Changes that it was about are judged by the model alone again."""
    return await serving.slow.run(lambda: _forget(serving, id_))


def _forget(serving: Serving, id_: str) -> Response:
    with open_repository(serving.repository.layout.root) as repository:
        return json_reply({"forgotten": [each.document() for each in reset(repository, id_)]})
