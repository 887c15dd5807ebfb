"""What a query is sent in: JSON, or a form with the field `query`, as the paper's clients do."""

from __future__ import annotations

from urllib.parse import parse_qsl

from fastapi import Request

from webgeist.server.problems import ProblemError

_FORM = "application/x-www-form-urlencoded"
_FIELD = "query"


async def query_text(request: Request) -> str:
    """The query's text. Whether it makes sense is not decided here."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in (_FORM, "application/json", "") and not kind.endswith("+json"):
        raise ProblemError(
            415,
            f"a query cannot be {kind[:80]!r}",
            remedy=f"send application/json, or {_FORM} with the field {_FIELD}",
            where="header Content-Type",
        )
    text = _decoded(await request.body())
    return _field(text) if kind == _FORM else text


def _decoded(body: bytes) -> str:
    try:
        return body.decode()
    except UnicodeDecodeError as error:
        raise ProblemError(
            400, f"the body is not UTF-8 at byte {error.start}", where="body"
        ) from error


def _field(text: str) -> str:
    try:
        found = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=1)
    except ValueError as error:
        raise _no_form() from error
    if len(found) != 1 or found[0][0] != _FIELD:
        raise _no_form()
    return found[0][1]


def _no_form() -> ProblemError:
    return ProblemError(
        400,
        f"the form has to have one field, {_FIELD}",
        remedy="for JSON, say so with the header Content-Type: application/json",
        where="body",
    )
