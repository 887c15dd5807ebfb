"""Everything that can go wrong with a request, in one form: application/problem+json (RFC 9457)."""

from __future__ import annotations

import logging
from dataclasses import dataclass, field
from secrets import token_hex
from typing import TYPE_CHECKING, Any

import orjson
from starlette.responses import Response

from webgeist.errors import QueryError, WebgeistError

if TYPE_CHECKING:
    from collections.abc import Mapping

LOG = logging.getLogger("webgeist.server")
MEDIA_TYPE = "application/problem+json"
_SERVERS = 500  # statuses from here on are faults of the server
_PREFIX = "urn:webgeist:problem:"

# The word that ends `type`, and the sentence that never varies with it.
TITLES = {
    "request": "The request makes no sense.",
    "query": "The query makes no sense.",
    "token": "A token is needed.",
    "forbidden": "This is not allowed.",
    "not-found": "There is no such thing.",
    "method": "This cannot be done with that.",
    "timeout": "The request took too long to arrive.",
    "damaged": "Stored data cannot be read.",
    "too-large": "The request is too large.",
    "media-type": "The request's body has another form than expected.",
    "misdirected": "This server does not answer under that name.",
    "limit": "A limit was reached.",
    "bug": "Something unexpected happened.",
    "busy": "Not at the moment.",
    "storage": "The disk refuses.",
}
WORDS = {
    400: "request",
    401: "token",
    403: "forbidden",
    404: "not-found",
    405: "method",
    408: "timeout",
    409: "damaged",
    413: "too-large",
    415: "media-type",
    421: "misdirected",
    422: "limit",
    503: "busy",
    507: "storage",
}


@dataclass(frozen=True)
class Problem:
    """What went wrong, the place in the request, what to do; a bug's `id` is also in the log."""

    status: int
    detail: str
    remedy: str | None = None
    where: str | None = None
    id: str | None = None
    word: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)

    def facts(self) -> dict[str, Any]:
        word = self.word or WORDS.get(self.status, "request" if self.status < _SERVERS else "bug")
        facts = {"type": _PREFIX + word, "title": TITLES[word], "status": self.status}
        more = {"detail": self.detail, "remedy": self.remedy, "where": self.where, "id": self.id}
        return facts | {name: value for name, value in more.items() if value is not None}

    def response(self) -> Response:
        body = orjson.dumps(_encodable(self.facts()))
        headers = {"cache-control": "no-store", **self.headers}
        return Response(body, self.status, headers, MEDIA_TYPE)


class ProblemError(Exception):
    """A problem that only HTTP has; others are children of WebgeistError."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        remedy: str | None = None,
        where: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem = Problem(status, detail, remedy, where, headers=headers or {})


def problem_of(error: Exception, request: str) -> Problem:
    """Any exception as a problem. What is not ours is a bug: the log has it, the client an id."""
    if isinstance(error, ProblemError):
        return error.problem
    if isinstance(error, WebgeistError) and error.http_status != WebgeistError.http_status:
        if isinstance(error, QueryError):
            return Problem(400, error.message, error.remedy, error.where or None, word="query")
        return Problem(error.http_status, error.message, error.remedy)
    id_ = token_hex(8)
    LOG.error("%s failed (%s)", request, id_, exc_info=error)
    remedy = f"please report it with what the server's log says of {id_}"
    return Problem(500, "this is a fault of the server, not of the request", remedy, id=id_)


def _encodable(facts: dict[str, Any]) -> dict[str, Any]:
    """Texts may quote what a client sent: a lone surrogate has no UTF-8."""
    return {
        name: value.encode("utf-8", "replace").decode() if isinstance(value, str) else value
        for name, value in facts.items()
    }
