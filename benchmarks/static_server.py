"""Serves a folder on a free loopback port and prints the address. Ends with its parent's signal."""

from __future__ import annotations

import socket
import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles


def main() -> None:
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    print(f"http://localhost:{listener.getsockname()[1]}", flush=True)
    app = Starlette(routes=[Mount("/", StaticFiles(directory=sys.argv[1], html=True))])
    uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


if __name__ == "__main__":
    main()
