"""Hall: pages whose scripts ask, pop up, spin or eat until somebody stops them."""

from __future__ import annotations

from webgeist.samples.museum.exhibit import Exhibit, Hall, page

_DIALOG = "a client answers the dialog by itself, records it and captures the page"
_SPIN = "a client reports that the page does not answer, within its limit, and can use the browser again"
_GROW = "a client captures the page at its limit and reports that it never came to rest"


def _script(path: str, title: str, nastiness: str, expected: str, code: str) -> Exhibit:
    text = f"<h1>{title}</h1>\n<script>\n{code}\n</script>\n<p>The end of the page.</p>"
    return Exhibit(f"/scripts/{path}", title, nastiness, expected, "script", page(title, text))


_DIALOGS = (
    _script("alert", "Alert", "an alert stops the page until it is closed", _DIALOG, "alert('Welcome')"),
    _script("confirm", "Confirm", "a question stops the page", _DIALOG, "document.title = 'confirm: ' + confirm('Sure?')"),
    _script("prompt", "Prompt", "a question for text stops the page", _DIALOG, "document.title = 'prompt: ' + prompt('Name?', 'nobody')"),
    _script(
        "alerts",
        "Endless alerts",
        "as soon as an alert is closed the next one opens",
        "a client stops answering at its limit and reports an endless dialog",
        "for (let n = 0; ; n++) alert('Alert ' + n)",
    ),
    _script(
        "beforeunload",
        "Do not leave",
        "leaving the page asks for confirmation",
        "a client leaves the page without being asked, or answers by itself",
        "addEventListener('beforeunload', event => { event.preventDefault(); event.returnValue = 'stay' })",
    ),
    _script("print", "Print", "the page opens the print dialog", _DIALOG, "print()"),
    _script(
        "permissions",
        "Permissions",
        "the page asks for place, notifications, clipboard, camera and a full screen",
        "a client refuses everything without a dialog and captures the page",
        "navigator.geolocation?.getCurrentPosition(() => {});\nglobalThis.Notification?.requestPermission();\n"
        "navigator.clipboard?.readText().catch(() => {});\n"
        "navigator.mediaDevices?.getUserMedia({video: true}).catch(() => {});\n"
        "document.documentElement.requestFullscreen().catch(() => {})",
    ),
)  # fmt: skip

_WINDOWS = (
    _script(
        "popups",
        "Pop-ups",
        "twenty windows open at once, and each opens when clicked too",
        "a client closes or blocks them, and captures only the page it asked for",
        "const open20 = () => { for (let n = 0; n < 20; n++) window.open('/?popup=' + n, 'popup' + n, 'width=200,height=200') };\n"
        "addEventListener('click', open20); open20()",
    ),
    _script(
        "close",
        "Closes itself",
        "the page closes its own window, where there is no history to go back to",
        "a client reports a page that closed itself, or keeps the window open, and goes on",
        "window.open('', '_self'); window.close()",
    ),
    _script(
        "opener",
        "Blank-target clicks",
        "every click is turned into a new window",
        "a client that clicks finds the new window or reports that nothing loaded",
        "addEventListener('click', event => { event.preventDefault(); window.open('/', '_blank') })",
    ),
)

_SPINNING = (
    _script("loop", "Endless loop", "a loop holds the main thread while the page is parsed", _SPIN, "for (;;) {}"),
    _script(
        "loop-after-load",
        "Endless loop after load",
        "the page loads well, then a loop holds the main thread",
        _SPIN,
        "addEventListener('load', () => setTimeout(() => { for (;;) {} }, 0))",
    ),
    _script("microtasks", "Endless microtasks", "promises that start promises starve every event", _SPIN, "const again = () => Promise.resolve().then(again); again()"),
    _script("regexp", "Catastrophic pattern", "a regular expression that takes longer than the universe", _SPIN, "/^(a+)+$/.test('a'.repeat(60) + '!')"),
    _script(
        "memory",
        "Eats memory",
        "the page allocates until its process dies",
        "a client reports that the page crashed, and the next page loads",
        "const kept = []; for (;;) kept.push(new Array(1 << 20).fill(Math.random()))",
    ),
    _script("recursion", "Deep recursion", "a script error of endless recursion, again and again", "a client captures the page and records the errors up to its limit", "const fall = () => fall(); setInterval(fall, 10)"),
)  # fmt: skip

_GROWING = (
    _script(
        "growth",
        "Grows for ever",
        "ten elements are added every ten milliseconds",
        _GROW,
        "setInterval(() => { for (let n = 0; n < 10; n++) document.body.append(document.createElement('p')) }, 10)",
    ),
    _script(
        "scroll",
        "Endless scrolling",
        "scrolling to the end adds as much again",
        "a client stops scrolling at its limit and says so",
        "const fill = () => { for (let n = 0; n < 50; n++) { const p = document.createElement('p');"
        " p.style.height = '60px'; p.textContent = 'Item ' + document.body.children.length; document.body.append(p) } };\n"
        "addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 200) fill() });\n"
        "addEventListener('DOMContentLoaded', fill)",
    ),
    _script("polling", "Endless polling", "a new request as soon as the last is answered: the network is never idle", _GROW, "const poll = () => fetch('/load/pixel.png?' + Math.random()).then(poll, poll); poll()"),
    _script("animation", "Endless animation", "every frame changes the layout", _GROW, "const move = time => { document.body.style.paddingTop = 50 + 40 * Math.sin(time / 100) + 'px'; requestAnimationFrame(move) };\nrequestAnimationFrame(move)"),
    _script(
        "console",
        "Console flood",
        "a hundred thousand console messages",
        "a client keeps a limited number of messages and says how many it dropped",
        "for (let n = 0; n < 100000; n++) console.log('message ' + n)",
    ),
    _script("errors", "Error flood", "ten thousand uncaught errors", "a client keeps a limited number of errors and says how many it dropped", "for (let n = 0; n < 10000; n++) setTimeout(() => { throw new Error('error ' + n) }, 0)"),
    _script("workers", "Many workers", "fifty workers that all spin", _SPIN, "const spin = URL.createObjectURL(new Blob(['for (;;) {}']));\nfor (let n = 0; n < 50; n++) new Worker(spin)"),
)  # fmt: skip

HALL = Hall("Scripts", (*_DIALOGS, *_WINDOWS, *_SPINNING, *_GROWING))
