"""What the API's description says again and again: problems, forms of rows, examples."""

from __future__ import annotations

from typing import Any

from webgeist.server.forms import MEDIA_TYPES
from webgeist.server.problems import MEDIA_TYPE, TITLES

CAPTURE = "01HQTA33G0X1Y5Z7N3QK2M8R4C"
SHA256 = "5891b5b522d5df086d0ff0b110fbd9d21bb4fc7163af34d08286a2e846f6be03"

PROBLEM_SCHEMA: dict[str, Any] = {
    "type": "object",
    "description": "What went wrong, as in RFC 9457.",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "urn:webgeist:problem:… names the kind."},
        "title": {"type": "string", "enum": sorted(TITLES.values())},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What happened, to what."},
        "remedy": {"type": "string", "description": "What to do about it."},
        "where": {"type": "string", "description": "The place in the request or the query."},
        "id": {"type": "string", "description": "What a bug is called in the server's log."},
    },
}
_PROBLEM_EXAMPLE = {
    "type": "urn:webgeist:problem:not-found",
    "title": TITLES["not-found"],
    "status": 404,
    "detail": f"release 3 has no capture {CAPTURE}",
}
_SAID = {
    400: "The request makes no sense; `where` names the place.",
    401: "A token is needed, or is not known.",
    403: "The token, or the page that asks, may not do this.",
    404: "There is no such release, capture, node, table …",
    408: "The request's body did not arrive in time.",
    409: "Stored data is damaged.",
    413: "The body is too large.",
    415: "The body is neither JSON nor a form.",
    421: "Without tokens, the server answers only as localhost.",
    422: "A limit was reached.",
    500: "A fault of the server; the log has the same id.",
    503: "Too many requests or streams, or another process writes; ask again later.",
    507: "The disk refuses.",
}
_OF_ALL = (400, 401, 403, 404, 409, 413, 421, 500, 503)

Answers = dict[int | str, dict[str, Any]]


def problems(*more: int) -> Answers:
    """The problems that an operation can have."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {
        status: {"description": _SAID[status], "content": content}
        for status in sorted({*_OF_ALL, *more})
    }


def json_answer(description: str, example: object, schema: dict[str, Any] | None = None) -> Answers:
    content = {"schema": schema or {"type": "object"}, "example": example}
    return {200: {"description": description, "content": {MEDIA_TYPES["json"]: content}}}


def kept_answer(found: Answers) -> Answers:
    """An answer that a client may have already."""
    return found | {304: {"description": "The same as what If-None-Match names."}}


def bytes_answer(description: str, *media_types: str) -> Answers:
    content = {name: {"schema": {"type": "string", "format": "binary"}} for name in media_types}
    return {200: {"description": description, "content": content}}


def rows_answer(description: str, row: dict[str, Any], *forms: str) -> Answers:
    """Rows in several forms, with an example of each that is text."""
    return {200: {"description": description, "content": dict(_row_forms(row, forms))}}


def _row_forms(row: dict[str, Any], forms: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
    return [(MEDIA_TYPES[form].partition(";")[0], _row_form(row, form)) for form in forms]


def _row_form(row: dict[str, Any], form: str) -> dict[str, Any]:
    import orjson

    end = {"release": 3, "rows": 1, "cut": False, "next": None}
    if form == "json":
        return {"schema": ROWS_SCHEMA, "example": {**end, "items": [row]}}
    if form == "arrow":
        return {"schema": {"type": "string", "format": "binary"}}
    said = orjson.dumps(end).decode()
    if form == "ndjson":
        example = f'{orjson.dumps(row).decode()}\n{{"$end":{said}}}\n'
    else:
        cells = ",".join(map(str, row.values()))
        closing = '"$end ' + said.replace('"', '""') + '"' + "," * (len(row) - 1)
        example = f"{','.join(row)}\r\n{cells}\r\n{closing}\r\n"
    return {"schema": {"type": "string"}, "example": example}


ROWS_SCHEMA: dict[str, Any] = {
    "type": "object",
    "required": ["release", "rows", "cut", "next", "items"],
    "properties": {
        "release": {"type": "integer", "description": "The release that was read."},
        "rows": {"type": "integer", "description": "How many items there are."},
        "cut": {"type": "boolean", "description": "Whether there are more."},
        "next": {"type": ["string", "null"], "description": "Where to go on, if so."},
        "items": {"type": "array", "items": {"type": "object"}},
        "fetched": {
            "type": "array",
            "description": "Of a query with `$fetch`: each address, and what is stored under it.",
            "items": {"type": "object"},
        },
    },
}
