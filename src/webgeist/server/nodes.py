"""GET /v1/pages/{capture}/nodes and blocks: single nodes and blocks by their numbers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from webgeist.errors import NotFoundError
from webgeist.repository.release import Release
from webgeist.server.described import CAPTURE, json_answer, kept_answer, problems
from webgeist.server.pages import CapturePath
from webgeist.server.replies import exact, json_reply, kept, tag_of, unchanged
from webgeist.server.serving import Held, Shared, capture_id

router = APIRouter(tags=["nodes and blocks"])
_MOST = 2**31 - 1
_OF_BLOCKS = ("blocks", "features")

NodePath = Annotated[int, Path(ge=0, le=_MOST, description="A node's number.", examples=[3])]
BlockPath = Annotated[int, Path(ge=0, le=_MOST, description="A block's number.", examples=[0])]


@router.get(
    "/v1/pages/{capture}/nodes/{node}.json",
    summary="One node",
    responses=kept_answer(
        json_answer(
            "All columns of `nodes`, and all computed longhands where the node has layout.",
            {
                "release": 3,
                "capture": CAPTURE,
                "node": 3,
                "name": "p",
                "attributes": {"class": "lead"},
                "x": 8.0,
                "y": 120.5,
                "width": 640.0,
                "height": 48.0,
                "styles": {"color": "rgb(34, 34, 34)", "font-size": "16px"},
            },
        )
    )
    | problems(),
)
async def one_node(
    request: Request, release: Held, serving: Shared, capture: CapturePath, node: NodePath
) -> Response:
    """A DOM node with its box, attributes, texts and styles."""
    id_ = capture_id(capture)
    tag = tag_of(release, request)
    if same := unchanged(request, tag):
        return same
    facts = await serving.quick.run(lambda: _node(release, id_, node))
    return json_reply(facts, kept(tag))


def _node(release: Release, capture: str, node: int) -> dict[str, Any]:
    found = release.node(capture, node)
    columns = {name: exact(value) for name, value in found.columns.items()}
    here = f"/v1/pages/{capture}"
    links = {"page": f"{here}.json?release={release.number}"}
    if found.box:
        links["picture"] = f"{here}/nodes/{node}.png?release={release.number}"
    frame = {"release": release.number, "capture": capture}
    return frame | columns | {"styles": found.styles, "links": links}


@router.get(
    "/v1/pages/{capture}/blocks/{block}.json",
    summary="One block",
    responses=kept_answer(
        json_answer(
            "Its row of `blocks`, and its `features` where they were made.",
            {
                "release": 3,
                "capture": CAPTURE,
                "block": 0,
                "node": 1,
                "kind": "box",
                "x": 0.0,
                "y": 0.0,
                "width": 1280.0,
                "height": 4000.0,
                "features": {"aspectRatio": 0.32, "words": 812},
            },
        )
    )
    | problems(),
)
async def one_block(
    request: Request, release: Held, serving: Shared, capture: CapturePath, block: BlockPath
) -> Response:
    """A part of the page that a person sees, and what it looks like."""
    id_ = capture_id(capture)
    tag = tag_of(release, request)
    if same := unchanged(request, tag):
        return same
    facts = await serving.quick.run(lambda: _block(release, id_, block))
    return json_reply(facts, kept(tag))


def _block(release: Release, capture: str, block: int) -> dict[str, Any]:
    facts = block_row(release, capture, block)
    if "features" in release.manifest.tables:
        features = release.rows("features", capture)
        row = features.slice(block, 1).to_pylist() if block < features.num_rows else []
        known = {name: exact(value) for each in row for name, value in each.items()}
        facts["features"] = {name: known[name] for name in known if name not in facts.keys() - BOX}
    here = f"/v1/pages/{capture}"
    links = {
        "page": f"{here}.json?release={release.number}",
        "node": f"{here}/nodes/{facts['node']}.json?release={release.number}",
        "picture": f"{here}/blocks/{block}.png?release={release.number}",
    }
    return {"release": release.number} | facts | {"links": links}


BOX = {"x", "y", "width", "height"}


def block_row(release: Release, capture: str, block: int) -> dict[str, Any]:
    """A block's row. NotFoundError where there is none, or no blocks were made."""
    if "blocks" not in release.manifest.tables:
        raise NotFoundError(
            f"release {release.number} has no blocks", remedy="webgeist analyse, then publish"
        )
    rows = release.rows("blocks", capture)
    if block >= rows.num_rows:
        if not release.rows("captures", capture).num_rows:
            raise NotFoundError(f"release {release.number} has no capture {capture}")
        raise NotFoundError(f"capture {capture} has {rows.num_rows:,} blocks")
    found: dict[str, Any] = rows.slice(block, 1).to_pylist()[0]
    return {name: exact(value) for name, value in found.items()}
