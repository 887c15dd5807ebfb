"""What a request's method and body add to its key in the index. Pure.

Answers to two different POSTs of one URL are two different things. Archive tools tell them apart by
writing method and body behind the URL before they make the key: `?__wb_method=POST&name=value`
(https://specs.webrecorder.net/request-body-canonicalization/).
"""

from __future__ import annotations

import base64
import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote_plus, urlencode

if TYPE_CHECKING:
    from collections.abc import Iterator

_LONGEST_QUERY = 4096
LONGEST_BODY = 1 << 20  # what is longer is told apart by its beginning
_WITH_BODY = ("POST", "PUT")
_BOUNDARY = re.compile(r'boundary=(?:"([^"]+)"|([^;\s]+))', re.IGNORECASE)
_NAME = re.compile(rb';\s*name=(?:"([^"]*)"|([^;\s]+))', re.IGNORECASE)


def key_url(method: str, url: str, content_type: str, body: bytes) -> str:
    """The URL whose key the exchange has: itself for GET, else with method and body behind it."""
    if method == "GET":
        return url
    query = body_query(content_type, body) if method in _WITH_BODY else ""
    added = f"__wb_method={method}" + (f"&{query}" if query else "")
    return f"{url}{'&' if '?' in url else '?'}{added}"


def body_query(content_type: str, body: bytes) -> str:
    """A body as the query of a URL: form fields, the leaves of JSON, else base64."""
    try:
        query = _readable(content_type, body)
    except (ValueError, LookupError, RecursionError):
        query = "" if content_type.startswith("application/json") else _binary(body)
    return query[:_LONGEST_QUERY]


def _readable(content_type: str, body: bytes) -> str:
    if content_type.startswith("application/x-www-form-urlencoded"):
        return unquote_plus(body.decode())
    if content_type.startswith("multipart/"):
        return urlencode(list(_fields(content_type, body)))
    if content_type.startswith(("application/json", "text/plain")):
        return urlencode(_named_leaves(_json(body)))
    return _binary(body)


def _binary(body: bytes) -> str:
    return f"__wb_post_data={base64.b64encode(body).decode()}"


def _fields(content_type: str, body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The parts of a form. Not by the `email` package: a page can keep that busy for hours."""
    found = _BOUNDARY.search(content_type)
    boundary = b"\r\n--" + ((found[1] or found[2]) if found else "").encode("latin-1", "replace")
    _, *parts = (b"\r\n" + body).split(boundary)
    if not found or not parts:
        raise ValueError("no parts in a multipart body")
    for part in parts:
        if part.startswith(b"--"):
            return
        head, _, value = part.partition(b"\r\n\r\n")
        yield _field_name(head), value


def _field_name(head: bytes) -> bytes:
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-disposition:") and (found := _NAME.search(line)):
            return found[2] if found[1] is None else found[1]
    return b"None"  # as cdxj-indexer calls it


def _json(body: bytes) -> list[Any]:
    """The values in a body: one, or one a line."""
    try:
        return [json.loads(body)]
    except json.JSONDecodeError:
        if b"\n" not in body:
            raise
        return [json.loads(line) for line in body.split(b"\n")]


def _named_leaves(values: list[Any]) -> dict[str, str]:
    """Leaves by the name next above them; further ones of a name are numbered from 2."""
    found: dict[str, str] = {}
    seen: dict[str, int] = {}
    for name, value in _leaves(values, ""):
        seen[name] = seen.get(name, 0) + 1
        found[name if seen[name] == 1 else f"{name}.{seen[name]}_"] = str(value)
    return found


def _leaves(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner, name)
    elif name:
        yield name, value
