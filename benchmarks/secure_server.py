"""The sample web and a folder over HTTPS on one free loopback port; it prints the port.

Each host shows a certificate of its own, as hosts do. Arguments: the folder of the authority that
vouches for them, and the folder to serve, which is at plain `localhost`. Ends with its parent's
signal.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Host, Mount
from starlette.staticfiles import StaticFiles

from benchmarks.listening import listen
from webgeist.capture.recorder.authority import Authority
from webgeist.samples.app import SampleWeb

if TYPE_CHECKING:
    import ssl

HOST = "localhost"


def _context(authority: Authority) -> ssl.SSLContext:
    """Shows who asks for a host that host's certificate."""

    def choose(asking: ssl.SSLObject, host: str | None, _: ssl.SSLContext) -> None:
        asking.context = authority.context(host or HOST)

    context = authority.context(HOST)
    context.sni_callback = choose
    return context


def main() -> None:
    authority, folder = map(Path, sys.argv[1:])
    context = _context(Authority.of_folder(authority))
    files = Mount("/", StaticFiles(directory=folder, html=True))
    app = Starlette(routes=[Host(HOST, files), Mount("/", SampleWeb())])
    config = uvicorn.Config(
        app, log_level="warning", lifespan="off", ssl_context_factory=lambda *_: context
    )
    listener = listen()
    print(listener.getsockname()[1], flush=True)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
