"""Serves a folder on a free loopback port and prints the address. Ends with its parent's signal.

A second argument is a certificate with its key: then it is HTTPS.
"""

from __future__ import annotations

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from benchmarks.listening import listen


def main() -> None:
    folder, certificate = [*sys.argv[1:], None][:2]
    listener = listen()
    scheme = "https" if certificate else "http"
    print(f"{scheme}://localhost:{listener.getsockname()[1]}", flush=True)
    app = Starlette(routes=[Mount("/", StaticFiles(directory=folder, html=True))])
    config = uvicorn.Config(app, log_level="warning", ssl_certfile=certificate)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
