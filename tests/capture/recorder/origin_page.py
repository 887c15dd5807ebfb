"""The page of `origin_site`: it does each case in turn, and says which it could not."""

from __future__ import annotations

FRAME = "<p>frame<script>fetch('echo')</script>"
WORKER = "fetch('echo').then(a => a.text()).then(() => new Worker('nested.js').onmessage = () => postMessage(1))"
NESTED = "fetch('echo?nested').then(a => a.text()).then(postMessage)"
SHARED = "onconnect = e => fetch('echo').then(a => a.text()).then(() => e.ports[0].postMessage(1))"
SERVICE = "oninstall = event => event.waitUntil(fetch('echo').then(a => a.text()))"

# What the page's script does for each case; `other` is the address of another site.
SCRIPTS = {
    "post": "await fetch('/post/echo', {method: 'POST', body: 'x'.repeat(100_000)})",
    "form": "await fetch('/form/echo', {method: 'POST', body: new URLSearchParams({a: 'b'})})",
    "binary": "await fetch('/binary/echo', {method: 'POST', body: new Uint8Array([0, 255, 195, 40])})",
    "blob": "await fetch('/blob/echo', {method: 'POST', body: new Blob(['b', new Uint8Array([0, 255])])})",
    "files": """const form = new FormData(); form.append('f', new File(['file', new Uint8Array([0, 255])], 'n'));
      await fetch('/files/echo', {method: 'POST', body: form})""",
    "preflight": "await fetch(other + '/preflight/allow', {method: 'PUT', headers: {'x-y': '1'}, body: 'put'})",
    "wordy-preflight": "await fetch(other + '/wordy-preflight/echo', {method: 'PUT', body: 'put'})",
    "no-cors": "await fetch(other + '/no-cors/closed', {mode: 'no-cors'})",
    "blocked": "await fetch(other + '/blocked/closed').catch(() => 0)",
    "range": "await fetch('/range/part', {headers: {range: 'bytes=10-19'}})",
    "redirect": "await fetch('/redirect/redirect').then(a => a.text())",
    "wordy-redirect": "await fetch('/wordy-redirect/moved').then(a => a.text())",
    "unfollowed": "await fetch('/unfollowed/redirect', {redirect: 'manual'})",
    "nothing": "await fetch('/nothing/nothing')",
    "missing": "await fetch('/missing/missing').then(a => a.text())",
    "head": "await fetch('/head/echo', {method: 'HEAD'})",
    "gzip": "await fetch('/gzip/gzip').then(a => a.text())",
    "br": "await fetch('/br/br').then(a => a.text())",
    "zstd": "await fetch('/zstd/zstd').then(a => a.text())",
    "deflate": "await fetch('/deflate/deflate').then(a => a.text())",
    "latin": "await fetch('/latin/latin').then(a => a.text())",
    "utf16": "await fetch('/utf16/utf16').then(a => a.text())",
    "marked": "await fetch('/marked/marked').then(a => a.text())",
    "broken": "await fetch('/broken/broken').then(a => a.text())",
    "bytes": "await fetch('/bytes/bytes').then(a => a.arrayBuffer())",
    "large": "await fetch('/large/large').then(a => a.arrayBuffer())",
    "unread": "await fetch('/unread/bytes')",
    "synchronous": "const ask = new XMLHttpRequest(); ask.open('GET', '/synchronous/latin', false); ask.send()",
    "chunked": "await fetch('/chunked/chunked').then(a => a.text())",
    "cut": "await fetch('/cut/cut').then(a => a.text()).catch(() => 0)",
    "cut-chunks": "await fetch('/cut-chunks/cut-chunks').then(a => a.text()).catch(() => 0)",
    "aborted": """const stop = new AbortController(); const endless = await fetch('/aborted/endless', {signal: stop.signal});
      await endless.body.getReader().read(); stop.abort()""",
    "endless": "window.kept = (await fetch('/endless/endless')).body.getReader(); await kept.read()",
    "events": "await heard(new EventSource('/events/events'), 'goodbye')",
    "last-events": "const source = new EventSource('/last-events/last-events'); await heard(source, 'error'); source.close()",
    "socket": """const socket = new WebSocket(location.origin.replace('http', 'ws') + '/socket/socket');
      await heard(socket, 'open'); socket.send('hello'); await heard(socket, 'message')""",
    "no-socket": "await heard(new WebSocket(location.origin.replace('http', 'ws') + '/no-socket/missing'), 'error')",
    "worker": "await heard(new Worker('/worker/worker.js'), 'message')",
    "module-worker": "await heard(new Worker('/module-worker/worker.js', {type: 'module'}), 'message')",
    "shared-worker": "const shared = new SharedWorker('/shared-worker/shared.js'); shared.port.start(); await heard(shared.port, 'message')",
    "service-worker": """const made = await navigator.serviceWorker.register('/service-worker/service.js');
      const worker = made.installing || made.waiting || made.active;
      while (worker.state != 'activated') await heard(worker, 'statechange')""",
    "cached": "await fetch('/cached/cached').then(a => a.text()); await fetch('/cached/cached').then(a => a.text())",
    "tagged": "await fetch('/tagged/tagged').then(a => a.text()); await fetch('/tagged/tagged').then(a => a.text())",
    "many": "await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(n => fetch('/many/echo?' + n).then(a => a.text())))",
    "same": "await Promise.all([1, 2, 3].map(n => fetch('/same/echo', {method: 'POST', body: '' + n}).then(a => a.text())))",
    "keepalive": "await fetch('/keepalive/echo', {method: 'POST', body: 'k', keepalive: true})",
    "beacon": "navigator.sendBeacon('/beacon/echo', 'b')",
    "blob-beacon": "navigator.sendBeacon('/blob-beacon/echo', new Blob([new Uint8Array([0, 255])]))",
    "late-frame": "const frame = document.createElement('iframe'); frame.src = other + '/late-frame/frame'; document.body.append(frame); await heard(frame, 'load')",
    "pop-up": "open('/pop-up/frame')",
    "download": "const link = document.createElement('a'); link.href = '/download/file'; link.download = 'f'; link.click()",
}  # fmt: skip

# What stands in the page's HTML.
MARKUP = {
    "style": "<link rel=stylesheet href=/style/redirect>",
    "icon": "<link rel=icon href=/icon/pixel>",
    "font": "<style>@font-face { font-family: F; src: url(/font/font) } p { font-family: F }</style><p>font",
    "prefetch": "<link rel=prefetch href=/prefetch/echo>",
    "packed-prefetch": "<link rel=prefetch href=/packed-prefetch/gzip>",
    "preload": "<link rel=preload as=fetch crossorigin href=/preload/echo>",
    "speculation": '<script type=speculationrules>{"prefetch": [{"urls": ["/speculation/echo"], "eagerness": "immediate"}]}</script>',
    "image": "<img src=/image/pixel><img src=/image/pixel?again>",
    "inline-image": "<img src=data:image/png;base64,iVBORw0KGgo=>",
    "module": "<script type=module src=/module/worker.js?module></script>",
    "frame": "<iframe src=/frame/frame></iframe>",
    "hold": "<img src=/hold/until-done>",
}

CASES = [*SCRIPTS, *MARKUP]

_STEPS = "\n".join(
    f"await step('{case}', async () => {{ {script} }});" for case, script in SCRIPTS.items()
)
PAGE = f"""<!doctype html><title>working</title><body>{"".join(MARKUP.values())}<script>
const other = location.origin.replace("one.", "two.");
const heard = (target, name) => new Promise(go => target.addEventListener(name, go, {{once: true}}));
const step = async (name, work) => {{
  try {{ await work() }} catch (error) {{ document.title += ` ${{name}}: ${{error}}` }}
}};
addEventListener("load", () => 0);
(async () => {{
{_STEPS}
document.title = document.title.replace("working", "done");
await fetch("/hold/done");
}})();
</script>"""
