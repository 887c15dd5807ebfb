"""Hall: pages that break what a client injects into them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from webgeist.samples.museum.exhibit import Exhibit, Hall, page

if TYPE_CHECKING:
    from starlette.requests import Request

_UNHARMED = "a client captures the page as it is seen; its own code does not rely on what the page can change"

_THROWERS = (
    ("date", "Date", "Date = function () { throw new Error('no time') }; Date.now = Date; performance.now = Date"),
    ("promise", "Promise", "Promise = function () { throw new Error('no promises') };\nPromise.resolve = Promise.all = Promise.race = () => 7"),
    ("json", "JSON", "JSON.stringify = () => 'gotcha'; JSON.parse = () => { throw new Error('no JSON') };\nObject.prototype.toJSON = () => 'gotcha'"),
    ("observer", "MutationObserver", "MutationObserver = ResizeObserver = IntersectionObserver = PerformanceObserver = undefined"),
    ("styles", "getComputedStyle", "window.getComputedStyle = () => null;\nElement.prototype.getBoundingClientRect = () => ({x: NaN, y: 1e99, width: -1, height: 'wide'})"),
    ("fonts", "document.fonts", "Object.defineProperty(document, 'fonts', {get() { return {ready: new Promise(() => {}), status: 'loading', size: 1 / 0} }})"),
    ("timers", "timers", "setTimeout = setInterval = requestAnimationFrame = requestIdleCallback = () => 0"),
    ("queries", "document queries", "Document.prototype.querySelectorAll = Document.prototype.querySelector = Document.prototype.createTreeWalker = () => { throw new Error('no queries') };\nObject.defineProperty(Node.prototype, 'childNodes', {get() { return [] }})"),
    ("scroll", "scrolling", "window.scrollTo = window.scrollBy = Element.prototype.scrollTo = Element.prototype.scrollIntoView = () => { throw new Error('no scrolling') };\nObject.defineProperty(Element.prototype, 'scrollHeight', {get() { return Infinity }})"),
)  # fmt: skip


def _hostile(path: str, title: str, nastiness: str, code: str) -> Exhibit:
    """The script stands in the head, so that it runs before anything that comes after the parser."""
    answer = page(title, f"<h1>{title}</h1><p>Nothing to see here.</p>", f"<script>{code}</script>")
    return Exhibit(f"/hostile/{path}", title, nastiness, _UNHARMED, "script", answer)


_ARRAYS = """
Array.prototype.map = Array.prototype.forEach = Array.prototype.push = function () { throw new Error('no arrays') };
Array.prototype[Symbol.iterator] = function* () {};
Object.prototype.extra = 'in every for-in loop';
Object.defineProperty(Object.prototype, 'value', {set() { throw new Error('no descriptors') }});
Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => 7;
"""
_CLOBBERED = """<form name="body"></form><img name="getElementById"><form id="f"><input name="children">
<input name="attributes"><input name="parentNode"><input name="nodeType"><input name="tagName"></form>
<a id="location" href="tel:1">call</a><a id="chrome"></a><a id="webgeist"></a>"""

_DESTROYERS = (
    _hostile("array", "Arrays and objects replaced", "the prototypes of arrays, objects and functions are poisoned", _ARRAYS),
    _hostile("remove", "Removes the document", "the root element is removed once the page has loaded", "addEventListener('load', () => document.documentElement.remove())"),
    _hostile("rewrite", "document.open and write", "the document is opened and written again, ten times a second", "let n = 0; const write = () => { document.open(); document.write('<title>Rewritten</title><h1>Version ' + n++ + '</h1>'); document.close(); setTimeout(write, 100) }; addEventListener('load', write)"),
    _hostile("write-replaced", "document.write replaced", "document.open, write and close do nothing", "document.open = document.write = document.writeln = document.close = () => {}"),
    _hostile("replace-body", "Body replaced for ever", "the body is replaced by a copy on every frame: node handles go stale", "addEventListener('load', () => { const swap = () => { document.body.replaceWith(document.body.cloneNode(true)); requestAnimationFrame(swap) }; swap() })"),
    _hostile("debugger", "Debugger statements", "a debugger statement ten times a second", "setInterval(() => { debugger }, 100)"),
    _hostile("freeze", "Frozen globals", "window properties are frozen: nothing can be added", "for (const thing of [Object, Array, Function, Promise, Node, Element, Document]) Object.freeze(thing.prototype);\nObject.freeze(console); Object.preventExtensions(document)"),
    _hostile("shadow", "Closed shadow roots", "all content stands in nested closed shadow roots", "addEventListener('load', () => { let host = document.body; for (let n = 0; n < 30; n++) { const root = host.attachShadow({mode: 'closed'}); root.innerHTML = '<div>Level ' + n + '</div>'; host = root.firstChild } })"),
)  # fmt: skip

_CLOBBERING = Exhibit(
    "/hostile/clobber",
    "DOM clobbering",
    "elements named like properties of document, forms and window take their places",
    _UNHARMED,
    "script",
    page("Clobbered", _CLOBBERED),
)

_WORKER_PAGE = """<h1>Before the worker</h1>
<script>navigator.serviceWorker?.register('worker.js', {scope: '/hostile/worker/'}).then(() =>
  navigator.serviceWorker.ready).then(() => { document.title = 'Worker installed' })</script>
<iframe src="inside"></iframe>"""
_WORKER = """addEventListener('install', () => skipWaiting());
addEventListener('activate', event => event.waitUntil(clients.claim()));
addEventListener('fetch', event => event.respondWith(new Response('\\u0000garbage\\uffff'.repeat(1000),
  {status: 200, headers: {'content-type': 'text/html', 'content-encoding': 'br', 'content-length': '7'}})));
"""
_SERVICE_WORKER = Exhibit(
    "/hostile/worker/",
    "Service worker",
    "a service worker that answers every later request below /hostile/worker/ with garbage",
    "a client starts each capture without the worker of an earlier one, or reports that a worker answered",
    "script",
    page("Service worker", _WORKER_PAGE),
)


async def _worker(_: Request) -> Response:
    return Response(_WORKER, media_type="text/javascript")


async def _inside(_: Request) -> Response:
    return HTMLResponse("<!doctype html><title>Inside</title><h1>The server's own page</h1>")


HALL = Hall(
    "Hostile pages",
    (
        *(
            _hostile(path, f"{what} replaced", f"{what} throws, lies or is gone", code)
            for path, what, code in _THROWERS
        ),
        *_DESTROYERS,
        _CLOBBERING,
        _SERVICE_WORKER,
    ),
    (Route("/hostile/worker/worker.js", _worker), Route("/hostile/worker/inside", _inside)),
)
