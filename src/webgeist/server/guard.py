"""Stands before the application: who may ask, under which name, how much, and what all answers say.

Plain ASGI, so that nothing gets past it, and every failure behind it becomes a problem.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders

from webgeist.errors import SettingsError
from webgeist.server.problems import LOG, ProblemError, problem_of
from webgeist.server.tokens import Scope, find

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Send
    from starlette.types import Scope as AsgiScope

    from webgeist.server.tokens import TokenFile
    from webgeist.settings.models import ApiSettings

# What a browser is told about every answer, whatever it holds.
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
    "cache-control": "no-store",
}
_LOCAL = re.compile(r"(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?")
_BEARER = re.compile(r"bearer +([\x21-\x7e]{1,512}) *", re.IGNORECASE)
_NEEDED = {"GET": Scope.READ, "HEAD": Scope.READ, "POST": Scope.READ, "OPTIONS": Scope.READ}


class Guard:
    """Lets those through who may ask."""

    def __init__(
        self,
        app: ASGIApp,
        settings: ApiSettings,
        tokens: TokenFile | None,
        *,
        any_host: bool = False,
    ) -> None:
        self._app = app
        self._any_host = any_host
        self._settings = settings
        self._tokens = tokens
        self._origins = frozenset(settings.cors.split())

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        try:
            self._check(scope)
            body = _Body(receive, self._settings)
            await self._app(scope, body.receive, answer.send)
        except Exception as error:  # noqa: BLE001  the border: every failure has one form
            problem = problem_of(error, f"{scope['method']} {scope['path']}")
            if answer.begun:
                raise _CutShortError(problem.detail) from None
            await problem.response()(scope, receive, answer.send)

    def _check(self, scope: AsgiScope) -> None:
        headers = Headers(scope=scope)
        if self._tokens is None and not self._any_host:
            _check_host(headers)
        self._check_origin(headers)
        if self._tokens is not None:
            self._check_token(scope["method"], headers, self._tokens)
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) > self._settings.body_bytes:
            raise too_large(self._settings.body_bytes)

    def _check_origin(self, headers: Headers) -> None:
        """A page of another site can send a request here, though it cannot read the answer."""
        origin = headers.get("origin")
        own = {f"{scheme}://{headers.get('host', '')}" for scheme in ("http", "https")}
        if origin is not None and origin not in own | self._origins:
            raise ProblemError(
                403,
                f"pages of {origin[:200]} may not ask this server",
                remedy="the setting api.cors names those that may",
                where="header Origin",
            )

    @staticmethod
    def _check_token(method: str, headers: Headers, tokens: TokenFile) -> None:
        given = _BEARER.fullmatch(headers.get("authorization", ""))
        try:
            token = find(tokens.tokens(), given[1]) if given else None
        except SettingsError as error:  # what the file says is not for those without a token
            LOG.error("no token can be checked: %s", error)
            token = None
        challenge = {"www-authenticate": 'Bearer realm="webgeist"'}
        if token is None:
            detail = "this token is not known" if given else "the request has no token"
            remedy = "send the header Authorization: Bearer TOKEN; webgeist token makes one"
            raise ProblemError(
                401, detail, remedy=remedy, where="header Authorization", headers=challenge
            )
        if token.scope < _NEEDED.get(method, Scope.WRITE):
            raise ProblemError(403, f"the token {token.name} may only read")


def _check_host(headers: Headers) -> None:
    """Without tokens, only who reaches this machine by its own names: another site's name that
    leads here (DNS rebinding) would give that site's pages the rights of this machine's user.
    """
    host = headers.get("host", "").lower()
    if not _LOCAL.fullmatch(host):
        raise ProblemError(
            421,
            f"this server does not answer as {host[:200]!r}",
            remedy="ask 127.0.0.1 or localhost, or start it with --token-file",
            where="header Host",
        )


def too_large(most: int) -> ProblemError:
    return ProblemError(
        413,
        f"the body has more than {most:,} bytes",
        remedy="the setting api.body_bytes allows more",
        where="body",
    )


class _CutShortError(Exception):
    """An answer that has begun and cannot be brought to its end: the connection is closed."""


class _Body:
    """A request's body, bounded in size and time."""

    def __init__(self, receive: Receive, settings: ApiSettings) -> None:
        self._receive = receive
        self._settings = settings
        self._bytes = 0
        self._whole = False

    async def receive(self) -> Message:
        if self._whole:  # what follows is that the client goes, whenever it does
            return await self._receive()
        try:
            message = await asyncio.wait_for(self._receive(), self._settings.body_seconds)
        except TimeoutError as error:
            raise ProblemError(
                408, "the body did not arrive in time", headers={"connection": "close"}
            ) from error
        self._bytes += len(message.get("body", b""))
        self._whole = not message.get("more_body", False)
        if self._bytes > self._settings.body_bytes:
            raise too_large(self._settings.body_bytes)
        return message


class _Answer:
    """Sends an answer with the headers that every answer has, unless it says otherwise."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
        await self._send(message)
