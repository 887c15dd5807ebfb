"""Servers that notices are sent to, on loopback: an HTTP server that hears POSTs, a mail server."""

from __future__ import annotations

import http.server
import json
import socketserver
import ssl
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass
class Hook:
    """`status` is what it answers; None: nothing at all. `got` are the bodies that came."""

    port: int = 0
    status: int | None = 200
    location: str = ""
    got: list[dict[str, Any]] = field(default_factory=list)
    heads: list[dict[str, str]] = field(default_factory=list)
    asked: threading.Event = field(default_factory=threading.Event)
    closing: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook?token=secret"


@contextmanager
def hook() -> Iterator[Hook]:
    heard = Hook()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            heard.got.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            heard.heads.append({name.lower(): value for name, value in self.headers.items()})
            heard.asked.set()
            if heard.status is None:
                heard.closing.wait()
                return
            self.send_response(heard.status)
            if heard.location:
                self.send_header("location", heard.location)
            self.send_header("content-length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """It has a log of its own."""

    with _serving(
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler), heard.closing
    ) as port:
        heard.port = port
        yield heard


_ANSWERS = {"EHLO": "250-here\r\n250 AUTH PLAIN", "AUTH": "235 welcome", "QUIT": "221 bye"}


@dataclass
class Post:
    """A mail server. `refuse` is what it says to a command that begins so; `silent`: nothing.

    With `tls` it offers STARTTLS, or speaks it `at_once`.
    """

    tls: ssl.SSLContext | None = None
    at_once: bool = False
    port: int = 0
    refuse: dict[str, str] = field(default_factory=dict)
    silent: bool = False
    encrypted: bool = False
    said: list[str] = field(default_factory=list)
    messages: list[str] = field(default_factory=list)
    closing: threading.Event = field(default_factory=threading.Event)


class _Clerk(socketserver.StreamRequestHandler):
    office: Post

    def handle(self) -> None:
        if self.office.at_once and not self._encrypt():
            return
        if self.office.silent:
            self.office.closing.wait()
            return
        self._say("220 here")
        while line := self.rfile.readline().decode().rstrip("\r\n"):
            self.office.said.append(line)
            if not self._answer(line.split(maxsplit=1)[0].upper()):
                return

    def _answer(self, word: str) -> bool:
        """Whether the conversation goes on."""
        office = self.office
        if word in office.refuse:
            self._say(office.refuse[word])
        elif word == "DATA":
            self._take()
        elif word == "EHLO" and office.tls is not None and not office.encrypted:
            self._say("250-here\r\n250 STARTTLS")
        elif word == "STARTTLS" and office.tls is not None:
            self._say("220 go on")
            return self._encrypt()
        else:
            self._say(_ANSWERS.get(word, "250 fine"))
        return word != "QUIT"

    def _encrypt(self) -> bool:
        """Whether the client trusts us."""
        assert self.office.tls is not None
        try:
            self.request = self.office.tls.wrap_socket(self.request, server_side=True)
        except (ssl.SSLError, ConnectionError):
            return False
        self.office.encrypted = True
        self.rfile, self.wfile = self.request.makefile("rb"), self.request.makefile("wb", 0)
        return True

    def finish(self) -> None:
        super().finish()
        self.request.close()

    def _take(self) -> None:
        self._say("354 go on")
        lines = iter(self.rfile.readline, b".\r\n")
        self.office.messages.append(b"".join(lines).decode())
        self._say("250 taken")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def post(tls: ssl.SSLContext | None = None, *, at_once: bool = False) -> Iterator[Post]:
    opened = Post(tls, at_once)

    class Clerk(_Clerk):
        office = opened

    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Clerk)
    with _serving(server, opened.closing) as port:
        opened.port = port
        yield opened


@contextmanager
def _serving(server: socketserver.BaseServer, closing: threading.Event) -> Iterator[int]:
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield int(server.server_address[1])  # type: ignore[index]
    finally:
        closing.set()
        server.shutdown()
        server.server_close()
        thread.join()
