"""Cases behind a sign-in: a session cookie, and a token in the form that counts for one try.

The user is `clerk`, the password `inkwell`. POST /control with `life=N`: sessions last N pages.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from webgeist.samples.office.drawing import html
from webgeist.samples.office.records import COUNTS, part, record
from webgeist.samples.rendering import form

if TYPE_CHECKING:
    from starlette.requests import Request

USER, PASSWORD = "clerk", "inkwell"
_SIZE = 8
_FOREVER = 10**9
_COOKIE = "office"


@dataclass
class _Visit:
    token: str = ""
    left: int = 0  # pages that the session still gives


class Door:
    """The sessions of one server."""

    def __init__(self) -> None:
        self._visits: dict[str, _Visit] = {}
        self._life = _FOREVER

    def routes(self) -> list[Route]:
        return [
            Route("/sign-in", self.sign_in, methods=["GET", "POST"]),
            Route("/cases", self.cases),
            Route("/cases/{number:int}", self.case),
            Route("/control", self.control, methods=["POST"]),
        ]

    async def control(self, request: Request) -> Response:
        """`life` ends the sessions that there are, and says how long new ones last."""
        self._visits.clear()
        self._life = int((await form(request)).get("life", "0")) or _FOREVER
        return JSONResponse({"life": self._life})

    async def sign_in(self, request: Request) -> Response:
        if request.method == "GET":
            return self._form("")
        fields, visit = await form(request), self._visits.get(request.cookies.get(_COOKIE, ""))
        if visit is None or not visit.token or fields.get("csrf_token") != visit.token:
            return HTMLResponse(html("Forbidden", "<p>The form's token is not valid.</p>"), 403)
        visit.token = ""
        if (fields.get("user"), fields.get("password")) != (USER, PASSWORD):
            return self._form("Wrong name or password.")
        visit.left = self._life
        return RedirectResponse("/cases", 303)

    def _form(self, trouble: str) -> Response:
        name, token = secrets.token_hex(8), secrets.token_hex(16)
        self._visits[name] = _Visit(token)
        body = (
            f'<p class="error">{trouble}</p><form method="post" action="/sign-in" id="sign-in">'
            f'<input type="hidden" name="csrf_token" value="{token}">'
            '<p><label>Name <input name="user"></label></p>'
            '<p><label>Password <input name="password" type="password"></label></p>'
            "<button>Sign in</button></form>"
        )
        answer = HTMLResponse(html("Sign in", body))
        answer.set_cookie(_COOKIE, name, httponly=True, samesite="lax")
        return answer

    def _known(self, request: Request) -> bool:
        visit = self._visits.get(request.cookies.get(_COOKIE, ""))
        if visit is None or visit.left <= 0:
            return False
        visit.left -= 1
        return True

    async def cases(self, request: Request) -> Response:
        if not self._known(request):
            return RedirectResponse("/sign-in", 303)
        wanted = request.query_params.get("page", "1")
        page = int(wanted) if wanted.isdecimal() else 1
        found, pages = part("case", page, _SIZE)
        rows = "".join(
            f'<tr class="case"><td><a href="/cases/{each.number}">{escape(each.title)}</a></td>'
            f"<td>{escape(each.keeper)}</td></tr>"
            for each in found
        )
        after = f'<a rel="next" href="/cases?page={page + 1}">Next</a>' if page < pages else ""
        head = "<tr><th>Case</th><th>Keeper</th></tr>"
        return HTMLResponse(html("Cases", f"<table>{head}{rows}</table><p>{after}</p>"))

    async def case(self, request: Request) -> Response:
        number = request.path_params["number"]
        if not self._known(request):
            return RedirectResponse("/sign-in", 303)
        if not 1 <= number <= COUNTS["case"]:
            return HTMLResponse(html("No such case", ""), 404)
        found = record("case", number)
        body = f'<p>Mark: <span class="mark">{found.mark}</span></p>'
        return HTMLResponse(html(found.title, body))
