"""GET /v1/pages: captures by id, and lists of them."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Annotated, Any
from urllib.parse import urlencode

import orjson
from fastapi import APIRouter, Path, Query, Request
from starlette.responses import RedirectResponse, Response

from webgeist.errors import NotFoundError
from webgeist.repository.export.jsontext import json_lines
from webgeist.repository.ids import is_id
from webgeist.repository.release import Release
from webgeist.server.described import CAPTURE, json_answer, kept_answer, problems, rows_answer
from webgeist.server.forms import MEDIA_TYPES, Ending, Form, texts, whole
from webgeist.server.keys import PageKey
from webgeist.server.problems import ProblemError
from webgeist.server.replies import kept, tag_of, unchanged
from webgeist.server.serving import Held, Serving, Shared, capture_id

router = APIRouter(tags=["pages"])
_DEFAULT = 100  # captures on one page of a list
_EXAMPLE = {"capture": CAPTURE, "url": "https://example.org/", "outcome": "ok", "nodes": 251}

CapturePath = Annotated[str, Path(description="A capture's id.", examples=[CAPTURE])]


@router.get(
    "/v1/pages.{form}",
    summary="A list of captures",
    responses=rows_answer("Captures by id, which is by time.", _EXAMPLE, *Form) | problems(),
)
async def list_pages(
    *,
    release: Held,
    serving: Shared,
    form: Annotated[Form, Path(description="json, ndjson, csv or arrow.", examples=["json"])],
    url: Annotated[
        str | None, Query(description="Only captures of this URL, asked for or arrived at.")
    ] = None,
    host: Annotated[str | None, Query(description="Only captures of this host.")] = None,
    after: Annotated[
        str | None, Query(description="Where to go on: part of the address in `next`.")
    ] = None,
    limit: Annotated[
        int, Query(ge=1, description="At most this many, and api.page_rows.", examples=[100])
    ] = _DEFAULT,
) -> Response:
    """What is known of each capture. `next` is where the list goes on, in the same release."""
    most = min(limit, serving.settings.api.page_rows)
    last = "" if after is None else _unsealed(after)
    table = await serving.quick.run(
        lambda: release.captures_after(last, limit=most + 1, url=url, host=host)
    )
    cut = table.num_rows > most
    table = table.slice(0, most)
    next_ = None
    if cut:
        given = {"url": url, "host": host, "limit": str(limit), "release": str(release.number)}
        given["after"] = _sealed(table.column("capture")[-1].as_py())
        query = urlencode({name: text for name, text in given.items() if text is not None})
        next_ = f"/v1/pages.{form.value}?{query}"
    ending = Ending(release.number, table.num_rows, cut, next_)
    body = await serving.quick.run(lambda: whole(table, form.value, ending))
    return Response(body, headers={"content-type": MEDIA_TYPES[form.value]})


def _sealed(capture: str) -> str:
    """Opaque on purpose: what stands in it may change."""
    return urlsafe_b64encode(capture.encode()).decode().rstrip("=")


def _unsealed(text: str) -> str:
    try:
        found = urlsafe_b64decode(text.encode() + b"==").decode()
    except ValueError:
        found = ""
    if not is_id(found):
        raise ProblemError(
            400,
            "this is no place in a list",
            remedy="take the whole address from `next`",
            where="query after",
        )
    return found


@router.get(
    "/v1/pages/{capture}.json",
    summary="One capture",
    responses=kept_answer(
        json_answer(
            "Its row of `captures`, all that its capture.json says, and where its parts are.",
            {
                **_EXAMPLE,
                "release": 3,
                "links": {"screenshot": f"/v1/pages/{CAPTURE}/screenshot.jpeg"},
            },
        )
    )
    | problems(),
)
async def one_page(
    request: Request, release: Held, serving: Shared, capture: CapturePath
) -> Response:
    """Everything that is known of a capture as a whole, as `captures` and `info` have it."""
    id_ = capture_id(capture)
    tag = tag_of(release, request, _origin(request, serving) or "")
    if same := unchanged(request, tag):
        return same
    facts = await serving.quick.run(lambda: _facts(release, id_))
    facts["links"] = orjson.Fragment(orjson.dumps(_links(release, id_, facts, request, serving)))
    return Response(orjson.dumps(facts), headers=kept(tag), media_type="application/json")


def _facts(release: Release, capture: str) -> dict[str, Any]:
    rows = release.rows("captures", capture)
    if not rows.num_rows:
        raise NotFoundError(f"release {release.number} has no capture {capture}")
    info = rows.column("info")[0].as_py()
    line: dict[str, Any] = orjson.loads(texts(json_lines(rows.drop_columns(["info"]))))
    return {"release": release.number} | line | {"info": orjson.Fragment(info)}


def _links(
    release: Release, capture: str, facts: dict[str, Any], request: Request, serving: Serving
) -> dict[str, str]:
    """Where the parts of a capture are, as this release has them."""
    here, pinned = f"/v1/pages/{capture}", f"?release={release.number}"
    links = {"self": f"{here}.json{pinned}"}
    if facts["nodes"]:
        links["node"] = f"{here}/nodes/0.json{pinned}"
        if "blocks" in release.manifest.tables:
            links["block"] = f"{here}/blocks/0.json{pinned}"
        if _origin(request, serving):
            links["html"] = f"{here}.html{pinned}"
    if facts["screenshot_width"]:
        links["screenshot"] = f"{here}/screenshot.jpeg{pinned}"
    if facts["thumbnail"]:
        links["thumbnail"] = f"{here}/thumbnail.jpeg{pinned}"
    for table in release.manifest.tables:
        links[f"tables.{table}"] = f"/v1/tables/{table}.ndjson{pinned}&captures={capture}"
    return links


@router.get(
    "/v1/pages/{capture}.html",
    summary="Where a capture's HTML is shown",
    status_code=307,
    response_class=RedirectResponse,
    responses=problems()
    | {
        307: {
            "description": "An address on the second origin, good for some hours.",
            "headers": {"location": {"schema": {"type": "string"}}},
        },
    },
)
async def page_html(
    request: Request, release: Held, serving: Shared, capture: CapturePath
) -> Response:
    """Nothing captured is shown on this origin: this leads to the second one, which has no rights.

    There the page stands as it was rendered, without scripts, from the archive alone.
    """
    id_ = capture_id(capture)
    origin = _origin(request, serving)
    if origin is None:
        raise NotFoundError("this server has no second origin", remedy="webgeist serve has one")
    rows = await serving.quick.run(lambda: release.rows("captures", id_).num_rows)
    if not rows:
        raise NotFoundError(f"release {release.number} has no capture {id_}")
    key = serving.keys.make(PageKey(release.number, id_))
    return RedirectResponse(f"{origin}/{key}/", 307, {"cache-control": "no-store"})


def _origin(request: Request, serving: Serving) -> str | None:
    """The second origin, under the name by which the client reached this one."""
    if serving.pages_port is None:
        return None
    host = request.url.hostname or "127.0.0.1"
    name = f"[{host}]" if ":" in host else host
    return f"http://{name}:{serving.pages_port}"
