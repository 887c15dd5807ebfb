"""Answers every request on a free loopback port with a body as long as its path says: /1000000.

A path that ends in `.html` is a page that fetches such a body and drops it as it comes. Prints its
address; ends with its parent's signal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import uvicorn

from benchmarks.lab import noise
from benchmarks.listening import listen

if TYPE_CHECKING:
    from starlette.types import Receive, Scope, Send

_PIECE = 1_000_000
_PAGE = """<!doctype html><title>working</title><script type=module>
const answer = await fetch("/%s");
await answer.body.pipeTo(new WritableStream());
document.title = "done";
</script>"""


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    await receive()
    name = scope["path"].lstrip("/")
    if name.endswith(".html"):
        await _begin(send, b"text/html")
        page = (_PAGE % name.removesuffix(".html")).encode()
        await send({"type": "http.response.body", "body": page})
        return
    left = int(name)
    await _begin(send, b"application/octet-stream", left)
    while left:
        size = min(left, _PIECE)
        left -= size
        body = noise(_PIECE, "stream")[:size]
        await send({"type": "http.response.body", "body": body, "more_body": left > 0})


async def _begin(send: Send, kind: bytes, length: int | None = None) -> None:
    headers = [(b"content-type", kind)]
    if length is not None:
        headers.append((b"content-length", b"%d" % length))
    await send({"type": "http.response.start", "status": 200, "headers": headers})


def main() -> None:
    with listen() as listener:
        print(f"http://localhost:{listener.getsockname()[1]}", flush=True)
        config = uvicorn.Config(app, log_level="warning", lifespan="off")
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
