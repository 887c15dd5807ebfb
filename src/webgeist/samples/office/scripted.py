"""Lists that scripts draw: by scrolling, late, and in place. Waiting is done in the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from webgeist.samples.office.drawing import html
from webgeist.samples.office.records import as_json

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

SIZES = {"arrival": 10, "late": 9, "notice": 6}
_DRAW = """
const later = ms => new Promise(done => setTimeout(done, ms));
const ask = async (kind, page) => (await fetch(`/api/${kind}?page=${page}`)).json();
const text = words => new Option(words).innerHTML;
const drawn = each => `<article><h2>${text(each.title)}</h2><p class="keeper">${text(each.keeper)}</p>
  <p class="mark">${each.mark}</p></article>`;
const list = document.getElementById("list"), state = document.getElementById("state");
"""
_ARRIVALS = """
let page = 0, pages = 1, busy = false;
const more = async () => {
  if (busy || page >= pages) return;
  busy = true; state.textContent = "Loading…";
  await later(250);
  const got = await ask("arrival", page + 1);
  list.insertAdjacentHTML("beforeend", got.items.map(drawn).join(""));
  page = got.page; pages = got.pages; busy = false;
  state.textContent = page < pages ? "" : "That is all.";
  if (state.getBoundingClientRect().top < innerHeight) more();
};
new IntersectionObserver(seen => seen.some(each => each.isIntersecting) && more()).observe(state);
"""
_LATE = """
(async () => {
  const page = Number(new URLSearchParams(location.search).get("page") || 1);
  await later(700);
  const got = await ask("late", page);
  for (const half of [got.items.slice(0, 4), got.items.slice(4)]) {
    list.insertAdjacentHTML("beforeend", half.map(drawn).join(""));
    await later(350);
  }
  if (page < got.pages) state.innerHTML = `<a class="next" href="/late?page=${page + 1}">Next page</a>`;
})();
"""
_NOTICES = """
const show = async page => {
  state.innerHTML = "Loading…";
  await later(400);
  const got = await ask("notice", page);
  list.innerHTML = got.items.map(drawn).join("");
  state.innerHTML = `Page ${page} of ${got.pages} `;
  for (const [name, to] of [["Previous", page - 1], ["Next", page + 1]]) {
    const button = document.createElement("button");
    button.textContent = name; button.disabled = to < 1 || to > got.pages;
    button.onclick = () => show(to);
    state.append(button);
  }
};
show(1);
"""


def routes() -> list[Route]:
    scripts = {"/arrivals": _ARRIVALS, "/late": _LATE, "/notices": _NOTICES}
    pages = [Route(path, _page(path, script)) for path, script in scripts.items()]
    return [*pages, Route("/api/{kind}", data)]


def _page(path: str, script: str) -> Callable[[Request], Response]:
    body = f'<main id="list"></main><div id="state"></div><script type="module">{_DRAW}{script}</script>'
    title = path.strip("/").title()

    def answer(_: Request) -> Response:
        return HTMLResponse(html(title, body))

    return answer


def data(request: Request) -> Response:
    kind, page = request.path_params["kind"], request.query_params.get("page", "1")
    if kind not in SIZES or not page.isdecimal():
        raise HTTPException(404)
    return JSONResponse(as_json(kind, int(page), SIZES[kind]))
