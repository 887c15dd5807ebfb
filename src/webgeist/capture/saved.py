"""Answers the requests of a saved page: itself, files beside it, nothing else."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.capture.target import SavedPage

_PAGE_HEADERS = {
    "Content-Security-Policy": "script-src 'none'",  # a saved page has had its scripts run
}
_DECLARED = re.compile(rb"^(?:\xef\xbb\xbf|\xfe\xff|\xff\xfe)|<meta[^>]*charset", re.IGNORECASE)
_PRESCANNED = 1024  # bytes that browsers look for a declaration in


class SavedSite:
    """What stands in for the network: called with each request, it says what command ends it.

    The first document asked for is the saved page, however Chromium spells its address.
    """

    def __init__(self, saved: SavedPage) -> None:
        self._saved = saved
        self._base: str | None = None

    def __call__(self, request_id: str, url: str, kind: str) -> tuple[str, dict[str, Any]]:
        document = kind == "Document"
        if document and self._base is None:
            self._base = url
            headers = {"Content-Type": _page_type(self._saved.body), **_PAGE_HEADERS}
            return _fulfil(request_id, 200, headers, self._saved.body)
        found = self._saved.answer(self._base or url, url)
        if found is not None and url != self._base:
            return _fulfil(request_id, 200, {"Content-Type": found[1]}, found[0])
        if document:  # no content: the page stays where it is, a frame stays empty
            return _fulfil(request_id, 204, {}, b"")
        return "Fetch.failRequest", {"requestId": request_id, "errorReason": "BlockedByClient"}


def _page_type(body: bytes) -> str:
    """A page that does not say which letters its bytes mean had a server that did. Bytes that are
    UTF-8 are hardly ever anything else.
    """
    if _DECLARED.search(body[:_PRESCANNED]):
        return "text/html"
    try:
        body.decode()
    except UnicodeDecodeError:
        return "text/html"
    return "text/html; charset=utf-8"


def _fulfil(
    request_id: str, status: int, headers: dict[str, str], data: bytes
) -> tuple[str, dict[str, Any]]:
    return "Fetch.fulfillRequest", {
        "requestId": request_id,
        "responseCode": status,
        "responseHeaders": [{"name": name, "value": value} for name, value in headers.items()],
        "body": base64.b64encode(data).decode("ascii"),
    }
