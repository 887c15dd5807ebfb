"""Lists in idioms that the sample web does not have, on a server of their own.

`/watched`: a sentinel that an IntersectionObserver looks at, grey bars until rows come; `/pictures`:
the same, with pictures that make the page taller while it is scrolled. `/window`: a
list that keeps only the rows in view in the document. `/mixed`: scrolling twice, then a button.
`/bars`: rows that say "Loading…" until there are others. `/covered`: a button below a banner that
fills the screen. `/again`: the second portion fails once, and a button says so; `/broken`: it fails
for good. `/framed`: a list with a pager in a frame. `/hashed`: class names that a style sheet was
packed with. `/boxes`: what a row says more stands in a box in front of the list, that Escape closes.
`/app`: a token in a meta element that is sent as a header with JSON, a page that is drawn late.
`/grid.aspx`: a GridView in an UpdatePanel, whose partial answers carry the view state.
"""

from __future__ import annotations

import json
import secrets
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator

COUNT, PORTION = 43, 9
ITEMS = [(f"Vessel {n:02}", f"{n * 7 % 90 + 10} t") for n in range(COUNT)]
PASSWORD = "lighthouse"

_DRAW = """
const list = document.querySelector('#list');
function row([name, load]) {
  const li = document.createElement('li'); li.className = 'vessel';
  li.innerHTML = '<span class=name></span> <span class=load></span>';
  li.querySelector('.name').textContent = name; li.querySelector('.load').textContent = load;
  return li;
}
async function portion(n) {
  const answer = await fetch('/items?from=' + n);
  return await answer.json();
}
"""
_STYLE = "<style>li{height:120px} .bar{background:#ddd;height:20px;margin:8px}</style>"
_WATCHED = (
    _STYLE
    + "<h1>Vessels</h1><ul id=list></ul><div id=end>·</div><script>"
    + _DRAW
    + """
let busy = false, at = 0, over = false;
new IntersectionObserver(async seen => {
  if (!seen.some(each => each.isIntersecting) || busy || over) return;
  busy = true;
  const bars = [1, 2, 3].map(() => { const b = document.createElement('div'); b.className = 'bar'; list.after(b); return b; });
  const items = await portion(at);
  setTimeout(() => {
    bars.forEach(b => b.remove()); list.append(...items.map(row)); at += items.length;
    over = !items.length; busy = false;
  }, 350);
}, {rootMargin: '40px'}).observe(document.querySelector('#end'));
</script>"""
)
# Pictures of unknown size, loaded when they are near: each makes the page taller.
_PICTURES = _WATCHED.replace("li{height:120px}", "").replace(
    "'<span class=name>", "'<img loading=lazy src=/picture.svg><br><span class=name>"
)
_PICTURE = "<svg xmlns='http://www.w3.org/2000/svg' width='200' height='170'><rect width='200' height='170'/></svg>"
_WINDOW = (
    "<style>body{margin:0} #list{position:relative;margin:0;padding:0} li{position:absolute;height:60px;list-style:none}</style>"
    "<ul id=list></ul><script>"
    + _DRAW
    + """
const items = ITEMS; list.style.height = items.length * 60 + 'px';
function draw() {
  const first = Math.max(0, Math.floor(scrollY / 60) - 2), last = Math.ceil((scrollY + innerHeight) / 60) + 2;
  list.replaceChildren(...items.slice(first, last).map((each, k) => {
    const li = row(each); li.style.top = (first + k) * 60 + 'px'; return li;
  }));
}
addEventListener('scroll', () => requestAnimationFrame(draw)); draw();
</script>"""
)
_MIXED = (
    _STYLE
    + "<ul id=list></ul><button id=more hidden>Show more vessels</button><script>"
    + _DRAW
    + """
let at = 0, busy = false, scrolls = 0;
const button = document.querySelector('#more');
async function add() {
  busy = true;
  const items = await portion(at);
  list.append(...items.map(row)); at += items.length; busy = false;
  button.hidden = scrolls < 2 || at >= TOTAL;
}
addEventListener('scroll', () => {
  if (!busy && scrolls < 2 && scrollY + innerHeight > document.body.scrollHeight - 60) { scrolls += 1; add(); }
});
button.onclick = add; add();
</script>"""
)
_BARS = (
    "<ul id=list><li class=vessel><span class=name>Loading…</span> <span class=load>-</span></li></ul><script>"
    + _DRAW
    + "setTimeout(async () => { for (let at = 0; at < TOTAL; at += PORTION) { const items = await portion(at);"
    + "if (!at) document.querySelector('#list').replaceChildren(); document.querySelector('#list').append(...items.map(row)); } }, 1500)</script>"
)
_COVERED = (
    "<ul id=list></ul><button id=more>Load more</button>"
    "<div style='position:fixed;inset:0;background:#fff'>We use cookies. <button>Settings</button></div><script>"
    + _DRAW
    + """
let at = 0;
const button = document.querySelector('#more');
button.onclick = async () => {
  const items = await portion(at);
  document.querySelector('#list').append(...items.map(row)); at += items.length;
  if (at >= TOTAL) button.remove();
};
button.onclick();
</script>"""
)
_AGAIN = _WATCHED.replace("'/items?from=' + n", "'/PATH?from=' + n").replace(
    "const items = await portion(at);",
    """let items;
  try { items = await portion(at); } catch {
    bars.forEach(b => b.remove());
    const again = document.createElement('button'); again.textContent = 'Try again';
    again.onclick = async () => {
      again.remove(); list.append(...(await portion(at)).map(row)); at += 9; busy = false; };
    document.body.append(again); return;
  }""",
)
_BOXES = (
    "<ul id=list></ul><script>"
    + _DRAW
    + """
for (const each of ITEMS) {
  const li = row([each[0], '']); document.querySelector('#list').append(li);
  li.onclick = () => {
    const box = document.createElement('div'); box.className = 'box';
    box.style = 'position:fixed;inset:0;background:#fffc';
    box.innerHTML = '<b class=load></b>'; document.body.append(box);
    setTimeout(() => { box.querySelector('.load').textContent = each[1]; }, 200);
    document.onkeydown = event => { if (event.key === 'Escape') box.remove(); };
  };
}
</script>"""
)
_LOGIN = """<meta name=csrf-token content="TOKEN"><div id=root></div><script>
setTimeout(() => {
  document.querySelector('#root').innerHTML = '<form><input name=mail type=email><input name=word type=password><button type=submit>Log in</button></form>';
  document.querySelector('form').onsubmit = async event => {
    event.preventDefault();
    const token = document.querySelector('meta[name=csrf-token]').content;
    const body = JSON.stringify({mail: event.target.mail.value, word: event.target.word.value});
    const answer = await fetch('/app/session', {method: 'POST', body, headers: {'X-CSRF-Token': token, 'Content-Type': 'application/json'}});
    if (answer.ok) location.href = (await answer.json()).next;
  };
}, 300);
</script>"""
_FLEET = (
    _STYLE
    + "<div id=root>Loading…</div><script>setTimeout(async () => {"
    + "document.querySelector('#root').innerHTML = '<ul id=list></ul>';"
    + _DRAW
    + "list.append(...(await portion(PAGE * PORTION)).map(row));"
    + "if ((PAGE + 1) * PORTION < TOTAL) list.insertAdjacentHTML('afterend', '<a rel=next href=\"/app/fleet?page=' + (PAGE + 1) + '\">Next</a>');"
    + "}, 700)</script>"
)
_GRID = """<form id=form1><input type=hidden name=__VIEWSTATE id=__VIEWSTATE value="@state@">
<input type=hidden name=__EVENTTARGET id=__EVENTTARGET><input type=hidden name=__EVENTARGUMENT id=__EVENTARGUMENT>
<div id=panel>@panel@</div></form><script>
function __doPostBack(target, argument) {
  document.getElementById('__EVENTTARGET').value = target;
  document.getElementById('__EVENTARGUMENT').value = argument;
  const asked = new XMLHttpRequest();
  asked.open('POST', '/grid.aspx'); asked.setRequestHeader('X-MicrosoftAjax', 'Delta=true');
  asked.onload = () => {
    let text = asked.responseText;
    while (text) {
      const [size, kind, id] = text.split('|', 3);
      const start = size.length + kind.length + id.length + 3, body = text.slice(start, start + Number(size));
      text = text.slice(start + Number(size) + 1);
      if (kind === 'updatePanel') document.getElementById(id).innerHTML = body;
      else document.getElementById(id).value = body;
    }
  };
  const form = new URLSearchParams(new FormData(document.getElementById('form1')));
  setTimeout(() => asked.send(form), 120);
}
</script>"""


def _panel(page: int) -> str:
    pages = -(-COUNT // PORTION)
    rows = "".join(
        f'<tr class="vessel"><td class="name">{name}</td><td class="load">{load}</td></tr>'
        for name, load in ITEMS[page * PORTION : (page + 1) * PORTION]
    )
    pager = "".join(
        f"<td><span>{n + 1}</span></td>"
        if n == page
        else f"<td><a href=\"javascript:__doPostBack('grid','Page${n + 1}')\">{n + 1}</a></td>"
        for n in range(pages)
    )
    return (
        "<table><tr><th>Name</th><th>Load</th></tr>"
        f"{rows}<tr class=pager><td colspan=2><table><tr>{pager}</tr></table></td></tr></table>"
    )


_PAGES = {
    "/watched": _WATCHED,
    "/pictures": _PICTURES,
    "/window": _WINDOW.replace("ITEMS", json.dumps(ITEMS)),
    "/mixed": _MIXED.replace("TOTAL", str(COUNT)),
    "/bars": _BARS.replace("TOTAL", str(COUNT)).replace("PORTION", str(PORTION)),
    "/covered": _COVERED.replace("TOTAL", str(COUNT)),
    "/again": _AGAIN.replace("PATH", "flaky"),
    "/broken": _AGAIN.replace("PATH", "dead"),
    "/boxes": _BOXES.replace("ITEMS", json.dumps(ITEMS[:4])),
    "/framed": "<h1>Vessels</h1><iframe src=/inner width=600 height=200></iframe>",
}


class _Site(BaseHTTPRequestHandler):
    tokens: set[str]
    sessions: set[str]
    failed: list[str]  # what was asked of /flaky, and failed

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        asked = {name: values[0] for name, values in parse_qs(url.query).items()}
        match url.path:
            case path if path in _PAGES:
                self._say(_PAGES[path])
            case "/flaky" if not self.failed and asked["from"] != "0":
                self.failed.append(self.path)
                self._say("sorry", status=500)
            case "/items" | "/flaky":
                self._say(_portion(asked), "application/json")
            case "/picture.svg":
                self._say(_PICTURE, "image/svg+xml")
            case "/dead":
                good = asked["from"] == "0"
                text = _portion(asked) if good else "sorry"
                self._say(text, "application/json", status=200 if good else 500)
            case "/inner" | "/hashed":
                self._say(_plain(url.path, int(asked.get("page", "0"))))
            case "/app/login":
                self.tokens.add(token := secrets.token_hex(8))
                self._say(_LOGIN.replace("TOKEN", token))
            case "/app/fleet" if self._known():
                page = asked.get("page", "0")
                self._say(
                    _FLEET.replace("PAGE", page)
                    .replace("PORTION", str(PORTION))
                    .replace("TOTAL", str(COUNT))
                )
            case "/grid.aspx":
                self._say(_GRID.replace("@state@", _state(0)).replace("@panel@", _panel(0)))
            case _:
                self._say("not here", status=404)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        if self.path == "/app/session":
            good = self.headers["x-csrf-token"] in self.tokens
            if not good or json.loads(body)["word"] != PASSWORD:
                self._say("{}", "application/json", status=403)
                return
            self.sessions.add(key := secrets.token_hex(8))
            self._say('{"next": "/app/fleet"}', "application/json", cookie=f"sid={key}; HttpOnly")
            return
        form = {name: values[0] for name, values in parse_qs(body).items()}
        if not form.get("__VIEWSTATE", "").startswith("state-"):
            self._say("the state of the page is invalid", status=500)
            return
        page = int(form["__EVENTARGUMENT"].removeprefix("Page$")) - 1
        parts = ((_panel(page), "updatePanel", "panel"), (_state(page), "hidden", "__VIEWSTATE"))
        self._say("".join(f"{len(text)}|{kind}|{at}|{text}|" for text, kind, at in parts))

    def _known(self) -> bool:
        return any(f"sid={key}" in (self.headers["cookie"] or "") for key in self.sessions)

    def _say(
        self, text: str, kind: str = "text/html", status: int = 200, cookie: str | None = None
    ) -> None:
        said = (
            "<!doctype html>" + text if kind == "text/html" and status == 200 else text
        ).encode()
        if kind == "text/html" and "|updatePanel|" in text:
            said = text.encode()
        self.send_response(status)
        self.send_header("content-type", f"{kind}; charset=utf-8")
        self.send_header("content-length", str(len(said)))
        if cookie:
            self.send_header("set-cookie", cookie)
        self.end_headers()
        self.wfile.write(said)


def _portion(asked: dict[str, str]) -> str:
    first = int(asked["from"])
    return json.dumps(ITEMS[first : first + PORTION])


def _plain(path: str, page: int) -> str:
    rows = "".join(
        f"<li class='vessel css-{n % 3}x'><b class=name>{name}</b> <i class=load>{load}</i></li>"
        for n, (name, load) in enumerate(ITEMS[page * PORTION : (page + 1) * PORTION])
    )
    more = f"<a href='{path}?page={page + 1}'>Next</a>" * ((page + 1) * PORTION < COUNT)
    return f"<ul>{rows}</ul>{more}"


def _state(page: int) -> str:
    return f"state-{page}"


@contextmanager
def other_sites() -> Iterator[str]:
    """The address of a server that runs meanwhile."""
    site = type("Site", (_Site,), {"tokens": set(), "sessions": set(), "failed": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), site)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
