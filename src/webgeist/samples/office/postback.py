"""A Web Forms page in which everything is a postback: the search, the pager, and every file.

The address never changes. `__VIEWSTATE` says where the visitor is, `__EVENTVALIDATION` must come
from the same page, and nothing may be kept by the browser: what was left cannot be gone back to.
"""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from html import escape
from typing import TYPE_CHECKING, Any

from starlette.responses import HTMLResponse, Response

from webgeist.samples.office.drawing import html
from webgeist.samples.office.records import part, record
from webgeist.samples.rendering import form

if TYPE_CHECKING:
    from collections.abc import Iterator

    from starlette.requests import Request

GRID = "ctl00$Grid"
_SIZE, _WIDTH = 4, 4
_KEY = b"a made-up machine key of the office"
_SCRIPT = """<script>
function __doPostBack(target, argument) {
  var form = document.forms['aspnetForm'];
  if (!form.onsubmit || form.onsubmit() != false) {
    form.__EVENTTARGET.value = target; form.__EVENTARGUMENT.value = argument; form.submit();
  }
}
</script>"""


async def answer(request: Request) -> Response:
    fields = await form(request) if request.method == "POST" else {}
    try:
        state = _after(fields) if fields else {"page": 0, "file": 0}
    except ValueError as error:
        return HTMLResponse(html("Server error", f"<p>{error}</p>"), 500)
    body = _file(state) if state["file"] else _grid(state)
    hidden = {
        "__EVENTTARGET": "",
        "__EVENTARGUMENT": "",
        "__VIEWSTATE": _write(state),
        "__EVENTVALIDATION": _code(_write(state).encode() + b" events"),
    }
    inputs = "".join(
        f'<input type="hidden" name="{name}" id="{name}" value="{value}">'
        for name, value in hidden.items()
    )
    page = (
        '<form method="post" action="/register.aspx" name="aspnetForm" id="aspnetForm">'
        f"<div>{inputs}</div>{_SCRIPT}{body}</form>"
    )
    return HTMLResponse(html("The Register", page), headers={"cache-control": "no-store"})


def _code(body: bytes) -> str:
    return hmac.new(_KEY, body, "sha256").hexdigest()


def _write(state: dict[str, int]) -> str:
    body = json.dumps(state, sort_keys=True).encode()
    return b64encode(body + b"|" + _code(body).encode()).decode()


def _after(fields: dict[str, str]) -> dict[str, int]:
    """The state after what the visitor did. ValueError for fields of no page, or of two."""
    sent = fields.get("__VIEWSTATE", "")
    body, _, code = b64decode(sent, validate=True).rpartition(b"|")
    if code.decode("latin-1") != _code(body):
        raise ValueError("Validation of viewstate MAC failed.")
    if fields.get("__EVENTVALIDATION") != _code(sent.encode() + b" events"):
        raise ValueError("Invalid postback or callback argument.")
    state: dict[str, Any] = json.loads(body)
    target, (verb, _, value) = fields["__EVENTTARGET"], fields["__EVENTARGUMENT"].partition("$")
    if "ctl00$Search" in fields:
        return {"page": 1, "file": 0}
    if target == GRID and verb == "Page":
        return {"page": int(value), "file": 0}
    if target == GRID and verb == "Select":
        return {**state, "file": (state["page"] - 1) * _SIZE + int(value) + 1}
    return {**state, "file": 0}


def _post(argument: str, text: str) -> str:
    return f"<a href=\"javascript:__doPostBack('{GRID}','{argument}')\">{escape(text)}</a>"


def _grid(state: dict[str, int]) -> str:
    search = '<input type="submit" name="ctl00$Search" id="ctl00_Search" value="Search">'
    if not state["page"]:
        return search
    found, pages = part("entry", state["page"], _SIZE)
    rows = "".join(
        f'<tr class="entry"><td>{_post(f"Select${at}", each.title)}</td><td>{each.place}</td></tr>'
        for at, each in enumerate(found)
    )
    cells = "".join(f"<td>{cell}</td>" for cell in _pager(state["page"], pages))
    head = "<tr><th>File</th><th>Place</th></tr>"
    pager = f'<tr class="pager"><td colspan="2"><table><tr>{cells}</tr></table></td></tr>'
    return f'{search}<table id="ctl00_Grid">{head}{rows}{pager}</table>'


def _pager(page: int, pages: int) -> Iterator[str]:
    """A run of numbers, and dots that lead to the runs beside it."""
    first = (page - 1) // _WIDTH * _WIDTH + 1
    if first > 1:
        yield _post(f"Page${first - 1}", "...")
    for number in range(first, min(first + _WIDTH, pages + 1)):
        yield f"<span>{number}</span>" if number == page else _post(f"Page${number}", str(number))
    if first + _WIDTH <= pages:
        yield _post(f"Page${first + _WIDTH}", "...")


def _file(state: dict[str, int]) -> str:
    found = record("entry", state["file"])
    return (
        f"<h2>{escape(found.title)}</h2><dl><dt>Keeper</dt><dd id=keeper>{escape(found.keeper)}</dd>"
        f'<dt>Mark</dt><dd class="mark">{found.mark}</dd></dl><p>{_post("Back$", "Back")}</p>'
    )
