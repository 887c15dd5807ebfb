"""The page state that travels in a hidden field, as ASP.NET Web Forms does it.

A postback names a control (`__EVENTTARGET`) and what happened to it (`__EVENTARGUMENT`); the rest
of what the server must know comes back in `__VIEWSTATE`: base64, with a code that makes tampering
visible. The server itself remembers nothing.
"""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from dataclasses import asdict, dataclass, replace

GRID, BUTTON = "ctl00$Main$Grid", "ctl00$Main$Search"
SORTS = ("Name", "Place", "Members")
_KEY = b"a made-up machine key"
_HEAD = b"\xff\x01\x0f\x05"  # what ASP.NET's own state begins with: readers see /wEP...


@dataclass(frozen=True)
class State:
    words: str = ""
    region: str = ""
    sort: str = "Name"
    page: int = 1


class BadStateError(ValueError):
    """The hidden field is not one that this server wrote."""


def _code(body: bytes) -> bytes:
    return hmac.digest(_KEY, body, "sha1")


def write_state(state: State) -> str:
    body = _HEAD + json.dumps(asdict(state), sort_keys=True).encode()
    return b64encode(body + _code(body)).decode()


def read_state(field: str) -> State:
    try:
        raw = b64decode(field, validate=True)
    except (Base64Error, ValueError) as error:
        raise BadStateError("not base64") from error
    body, code = raw[:-20], raw[-20:]
    if not hmac.compare_digest(code, _code(body)):
        raise BadStateError("the authentication code is wrong")
    return State(**json.loads(body.removeprefix(_HEAD)))


def post_back(form: dict[str, str]) -> State:
    """The state after what the visitor did: pressed the button, a page number or a column head."""
    state = read_state(form.get("__VIEWSTATE", ""))
    target, argument = form.get("__EVENTTARGET", ""), form.get("__EVENTARGUMENT", "")
    if BUTTON in form or target == BUTTON:
        words, region = form.get("ctl00$Main$Words", ""), form.get("ctl00$Main$Region", "")
        return replace(state, words=words.strip(), region=region, page=1)
    kind, _, value = argument.partition("$")
    if target == GRID and kind == "Page" and value.isdecimal():
        return replace(state, page=int(value))
    if target == GRID and kind == "Sort" and value in SORTS:
        return replace(state, sort=value, page=1)
    return state


def pager(page: int, pages: int, width: int = 5) -> list[tuple[str, int | None]]:
    """A GridView's pager: a run of `width` numbers, dots leading to the runs beside it.

    Each entry is its text and the page it leads to; the page shown leads nowhere.
    """
    first = (page - 1) // width * width + 1
    last = min(first + width - 1, pages)
    numbers: list[tuple[str, int | None]] = [
        (str(n), None if n == page else n) for n in range(first, last + 1)
    ]
    before: list[tuple[str, int | None]] = [("...", first - 1)] if first > 1 else []
    after: list[tuple[str, int | None]] = [("...", last + 1)] if last < pages else []
    return before + numbers + after
