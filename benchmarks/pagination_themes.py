"""Styled pages from elsewhere: pagers under the style sheets of frameworks, and manuals.

The pagers are those of `pagers.py`, each under its own framework's sheet where that is known, the
others in turn. Manuals are any folder of unpacked documentation, `WEBGEIST_DOCS`: their links to
the next and previous chapter are read off `rel` and `accesskey`, and are no pages of a list.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import tarfile
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING

from benchmarks import pages as shelves
from benchmarks.pagers import FILES, PagerPage, pager_pages

if TYPE_CHECKING:
    from collections.abc import Iterator

SHEETS = {
    "bootstrap 5": ("bootstrap@5.3.3", "dist/css/bootstrap.min.css"),
    "bootstrap 3": ("bootstrap@3.4.1", "dist/css/bootstrap.min.css"),
    "bulma": ("bulma@1.0.2", "css/bulma.min.css"),
    "foundation": ("foundation-sites@6.8.1", "dist/css/foundation.min.css"),
    "semantic": ("fomantic-ui-css@2.9.3", "components/menu.min.css"),
    "ant design": ("antd@4.24.16", "dist/antd.min.css"),
    "element ui": ("element-plus@2.7.8", "dist/index.css"),
    "tailwind": ("tailwindcss@2.2.19", "dist/tailwind.min.css"),
    "datatables": ("datatables.net-dt@1.13.11", "css/jquery.dataTables.min.css"),
    "docusaurus": ("infima@0.2.0-alpha.45", "dist/css/default/default.min.css"),
    "uikit": ("uikit@3.21.9", "dist/css/uikit.min.css"),
    "pico": ("@picocss/pico@2.0.6", "css/pico.min.css"),
    "water": ("water.css@2.1.1", "out/water.min.css"),
    "materialize": ("materialize-css@1.0.0", "dist/css/materialize.min.css"),
}
_FROM_EACH = 3  # pages of one manual
_MOST_BYTES = 300_000


def themed_pages() -> Iterator[tuple[PagerPage, str]]:
    """Each page of `pagers.py`, and its HTML with a framework's style sheet in it."""
    sheets = {name: _sheet(*where) for name, where in SHEETS.items()}
    names = list(sheets)
    pages = [page for file in FILES for page in pager_pages(file)]
    for number, page in enumerate(pages):
        own = next((name for name in names if page.name.startswith(name)), None)
        style = sheets[own or names[number % len(names)]]
        yield page, page.html.replace("</head>", f"<style>{style}</style></head>")


def _sheet(package: str, file: str) -> str:
    """The style sheet of an npm package, which is fetched when it is first needed."""
    folder = shelves.cache_folder().with_name("webgeist-themes")
    name = package.lstrip("@").replace("/", "-").replace("@", "-") + ".tgz"
    if not (folder / name).exists():
        folder.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", "--silent", package]
        subprocess.run(command, check=True, cwd=folder, capture_output=True)
    with tarfile.open(folder / name) as packed:
        found = packed.extractfile(f"package/{file}")
        return found.read().decode() if found else ""


def manual_pages() -> list[Path]:
    """Pages of manuals that lead to a next or previous one, a few of each, chosen by a hash."""
    root = os.environ.get("WEBGEIST_DOCS")
    if root is None:
        return []
    chosen: list[Path] = []
    for manual in sorted(Path(root).iterdir()):
        files = [each for each in manual.rglob("*.html") if _leads_on(each)]
        files.sort(key=lambda each: hashlib.sha256(str(each.relative_to(root)).encode()).digest())
        chosen += files[:_FROM_EACH]
    return chosen


def _leads_on(file: Path) -> bool:
    if not file.is_file() or file.stat().st_size > _MOST_BYTES:
        return False
    text = file.read_bytes().lower()
    return b'accesskey="n"' in text or b'rel="next"' in text


@contextmanager
def served(folder: str) -> Iterator[str]:
    """A folder on loopback, for pages that need their own style sheets."""
    handler = partial(_Quiet, directory=folder)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass
