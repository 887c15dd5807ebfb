"""The texts of pages that ask in every way a page can ask; `lab` serves them.

Each stays busy until its script is through, and says `done` in its title then.
"""

from __future__ import annotations

HEAD = """<!doctype html><title>working</title><img src=busy><script>
const heard = (target, name) => new Promise(go => target.addEventListener(name, go, {once: true}));
const other = location.href.replace("//lab.", "//other.").replace(/[^/]*$/, "");
const read = answer => answer.arrayBuffer();
const done = async () => { document.title = "done"; await fetch("done"); };
</script>"""
SCRIPTS = {
    "fetches": """
  await fetch("echo?post", {method: "POST", body: "x".repeat(100_000)}).then(read);
  await fetch("echo?form", {method: "POST", body: new URLSearchParams({a: "b"})}).then(read);
  await fetch("echo?stream", {method: "POST", body: new Blob(["y".repeat(3_000_000)])}).then(read);
  await fetch(other + "echo?put", {method: "PUT", headers: {"x-own": "1"}, body: "p"}).then(read);
  await fetch(other + "echo?cookie", {credentials: "omit"}).then(read);
  await fetch("echo?range", {headers: {range: "bytes=10-19"}}).then(read);
  await fetch("redirect?301").then(read); await fetch("redirect?302").then(read);
  await fetch("redirect?307", {method: "POST", body: "again"}).then(read);
  await fetch("nothing"); await fetch("missing").then(read);
  await fetch("echo?head", {method: "HEAD"});
  await Promise.all([...Array(24).keys()].map(n => fetch("echo?many=" + n).then(read)));
  navigator.sendBeacon("echo?beacon", "b");""",
    "streams": """
  await fetch("chunks?200").then(read); await fetch("packed").then(read);
  await fetch("large").then(read);
  const stop = new AbortController();
  const endless = await fetch("endless", {signal: stop.signal});
  await endless.body.getReader().read(); stop.abort();
  await heard(new EventSource("events"), "goodbye");
  const socket = new WebSocket(location.href.replace("http", "ws").replace(/[^/]*$/, "socket"));
  await heard(socket, "open"); socket.send("hello"); await heard(socket, "message");""",
    "workers": """
  await heard(new Worker("worker.js"), "message");
  await heard(new Worker("module.js", {type: "module"}), "message");
  const shared = new SharedWorker("shared.js"); shared.port.start();
  await heard(shared.port, "message");
  await navigator.serviceWorker.register("service.js"); await navigator.serviceWorker.ready;
  const old = new XMLHttpRequest(); old.open("GET", "echo?xhr"); old.send();
  await heard(old, "load");""",
    "media": """
  await document.fonts.load("20px own");
  const film = document.querySelector("video"); film.error || await heard(film, "error");""",
}
MARKUP = {
    "fetches": "<iframe src='echo?frame'></iframe><link rel=stylesheet href='redirect?style'>",
    "streams": "<img src='picture?1'><script src='script.js?late' defer></script>",
    "workers": "<link rel=prefetch href='echo?prefetch'><link rel=modulepreload href='part.js'>",
    "media": "<link rel=stylesheet href='style.css'><p style='font: 20px own'>Words</p>"
    "<link rel=preload as=image href='picture?9'><img src='picture?9'>"
    + "".join(f"<img src='picture?{number}'>" for number in range(8))
    + "<img srcset='picture?10 1x, picture?11 2x'><video src='film' preload=auto></video>"
    "<iframe src='inner'></iframe><object data='picture?12' type='image/png'></object>",
}
PAGES = tuple(SCRIPTS)
FILES = {
    "worker.js": "importScripts('part.js');"
    "fetch('echo?worker').then(answer => answer.text()).then(() => postMessage(1))",
    "module.js": "import './part.js'; fetch('echo?module').then(a => a.text()).then(postMessage)",
    "shared.js": "onconnect = event => fetch('echo?shared').then(answer => answer.text())"
    ".then(() => event.ports[0].postMessage(1))",
    "service.js": "oninstall = event => event.waitUntil(fetch('echo?service').then(a => a.text()))",
    "part.js": "var part = 1;",
    "script.js": "var late = 1;",
    "style.css": "@import 'more.css'; @font-face { font-family: own; src: url(font) }",
    "more.css": "body { background: url('picture?background') }",
    "inner": "<!doctype html><img src='picture?inner'><script src='script.js?inner'></script>",
}
TYPES = {"js": "text/javascript", "css": "text/css"}


def page(name: str) -> str:
    return f"{HEAD}{MARKUP[name]}<script type=module>{SCRIPTS[name]}; await done()</script>"
