"""Screenshots, and the parts of them that show a node, a block or any box."""

from __future__ import annotations

import io
from collections.abc import Callable
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from starlette.responses import Response

from webgeist.errors import LimitError, NotFoundError
from webgeist.repository.direct import cropped
from webgeist.repository.release import Release
from webgeist.server.described import bytes_answer, kept_answer, problems
from webgeist.server.nodes import BlockPath, NodePath, block_row
from webgeist.server.pages import CapturePath
from webgeist.server.replies import FOR_GOOD, kept, tag_of, unchanged
from webgeist.server.serving import Held, Serving, Shared, capture_id

router = APIRouter(tags=["pictures"])

Box = tuple[float, float, float, float]
_MOST = 1e7  # pixels from the top left: no picture is that large


class PictureForm(StrEnum):
    PNG = "png"
    JPEG = "jpeg"


FormPath = Annotated[PictureForm, Path(description="png or jpeg.", examples=["png"])]
_PICTURE = kept_answer(bytes_answer("The picture.", "image/png", "image/jpeg")) | problems(422)


@router.get("/v1/pages/{capture}/screenshot.{form}", summary="A page's picture", responses=_PICTURE)
async def screenshot(
    *,
    request: Request,
    release: Held,
    serving: Shared,
    capture: CapturePath,
    form: FormPath,
    x: Annotated[float, Query(ge=-_MOST, le=_MOST, description="CSS pixels", examples=[0])] = 0,
    y: Annotated[float, Query(ge=-_MOST, le=_MOST, description="CSS pixels", examples=[0])] = 0,
    width: Annotated[
        float, Query(gt=0, le=_MOST, description="The whole by default.", examples=[200])
    ] = _MOST,
    height: Annotated[
        float, Query(gt=0, le=_MOST, description="The whole by default.", examples=[100])
    ] = _MOST,
) -> Response:
    """The full page, or a box of it, as far as there is a picture."""
    id_ = capture_id(capture)
    return await _reply(
        request, release, serving, form=form, capture=id_, box=lambda: (x, y, width, height)
    )


@router.get(
    "/v1/pages/{capture}/nodes/{node}.{form}", summary="A node's picture", responses=_PICTURE
)
async def node_picture(
    *,
    request: Request,
    release: Held,
    serving: Shared,
    capture: CapturePath,
    node: NodePath,
    form: FormPath,
) -> Response:
    """The part of the screenshot where the node is; 404 where it has no box."""
    id_ = capture_id(capture)

    def box() -> Box:
        found = release.node(id_, node).box
        if found is None:
            raise NotFoundError(f"node {node} of capture {id_} has no layout")
        return found

    return await _reply(request, release, serving, form=form, capture=id_, box=box)


@router.get(
    "/v1/pages/{capture}/blocks/{block}.{form}", summary="A block's picture", responses=_PICTURE
)
async def block_picture(
    *,
    request: Request,
    release: Held,
    serving: Shared,
    capture: CapturePath,
    block: BlockPath,
    form: FormPath,
) -> Response:
    """The part of the screenshot that the block takes."""
    id_ = capture_id(capture)

    def box() -> Box:
        row = block_row(release, id_, block)
        x, y, width, height = (float(row[name]) for name in ("x", "y", "width", "height"))
        return x, y, width, height

    return await _reply(request, release, serving, form=form, capture=id_, box=box)


@router.get(
    "/v1/pages/{capture}/thumbnail.jpeg",
    summary="A page's small picture",
    responses=kept_answer(bytes_answer("The top of the page.", "image/jpeg")) | problems(),
)
async def thumbnail(
    request: Request, release: Held, serving: Shared, capture: CapturePath
) -> Response:
    """The top of the page, 320 pixels across."""
    id_ = capture_id(capture)
    tag = tag_of(release, request)
    if same := unchanged(request, tag, FOR_GOOD):
        return same
    found = await serving.quick.run(lambda: release.capture(id_).thumbnail)
    if found is None:
        raise NotFoundError(f"capture {id_} has no thumbnail")
    return Response(found, headers=kept(tag, FOR_GOOD), media_type="image/jpeg")


async def _reply(
    request: Request,
    release: Release,
    serving: Serving,
    *,
    form: PictureForm,
    capture: str,
    box: Callable[[], Box],
) -> Response:
    """A part of a picture. A capture never changes, so clients may keep it for good."""
    tag = tag_of(release, request)
    if same := unchanged(request, tag, FOR_GOOD):
        return same
    most = serving.settings.api.picture_pixels
    data = await serving.slow.run(lambda: _picture(release, capture, box(), form, most))
    return Response(data, headers=kept(tag, FOR_GOOD), media_type=f"image/{form.value}")


def _picture(release: Release, capture: str, box: Box, form: PictureForm, most: int) -> bytes:
    found = release.capture(capture).screenshot
    if found is None:
        raise NotFoundError(f"capture {capture} has no screenshot")
    x, y, width, height = box
    info = found.info
    whole = x <= 0 and y <= 0 and x + width >= info.width and y + height >= info.height
    if whole and len(found.tiles) == 1 and info.format == form.value:
        return found.tiles[0]  # as it was stored
    if min(width, info.width) * min(height, info.height) > most:
        size = f"{info.width}x{info.height} pixels"
        raise LimitError(
            f"the picture of {capture} has {size}, and no more than {most:,} are put together",
            remedy="ask for parts of it with x, y, width and height",
        )
    target = io.BytesIO()
    cropped(capture, found, box).save(target, form.value.upper())
    return target.getvalue()
