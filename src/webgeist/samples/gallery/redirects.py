"""Every way in which a server can send a visitor elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

CHAIN = 5
STATUSES = (301, 302, 303, 307, 308)


async def _once(request: Request) -> Response:
    status = request.path_params["status"]
    if status not in STATUSES:
        raise HTTPException(404)
    return RedirectResponse(f"/redirects/arrived?by={status}", status_code=status)


async def _chain(request: Request) -> Response:
    """Each link of the chain leads to the one below it, the last to the page."""
    left = request.path_params["left"]
    if not 1 <= left <= CHAIN:
        raise HTTPException(404)
    after = f"/redirects/chain/{left - 1}" if left > 1 else "/redirects/arrived?by=chain"
    return RedirectResponse(after, status_code=302)


ROUTES = [
    Route("/redirects/chain/{left:int}", _chain),
    Route("/redirects/{status:int}", _once),
]
