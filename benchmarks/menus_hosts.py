"""One host made of many sites whose borders are known: project sites and documentation packages.

The folders are given by WEBGEIST_CORPORA (with `sites` in it) and WEBGEIST_DOCS (documentation
packages of a Linux distribution, each unpacked into a folder of its name). Each site's pages are
those that a crawl from its first page would find, so many of them at most.

`data/menus_packages.json` names the packages of each set: `development` was chosen, `drawn` at
random, and both were looked at while rules were made; `held_out` was drawn at random, too, and its
pages were never looked at.
"""

from __future__ import annotations

import os
import re
from collections import deque
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.analyses.menus.identity import page_key
from webgeist.analyses.menus.parse import parse_html

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webgeist.analyses.menus.tree import LinkTree

HOST = "http://localhost"
_INDEX = ("index.html", "index.htm", "toc.html", "contents.html", "Index.html", "book.html")
_PAGES = (".html", ".htm", ".xhtml")
_INCLUDE = re.compile(rb"<!--\s*#include\s+(virtual|file)\s*=\s*\"([^\"]+)\"\s*-->")
_REFRESH = re.compile(
    rb"<meta\s+http-equiv=[\"']?refresh[\"']?\s+content=[\"']?0\s*[;,]", re.IGNORECASE
)
_ROOTS = ("content", "output")
_SMALLEST = 5
# Documents inside others, with templates and menus of their own, and texts that no server would
# show by themselves: they are none of the site's pages.
_OTHERS = {
    "felix-site-pub": ("documentation/_attachments/",),
    "ghc-doc": ("html/libraries/",),
    "ignite-website": ("includes/",),
    "junit4-doc": ("src-html/",),
    "libxml2-doc": ("tutorial/",),
    "python-lxml-doc": ("apidoc/",),
    "twisted-doc": ("api/",),
    "zeppelin-site": ("_includes/", "_layouts/"),
}
# Several documents in one folder, each a site: the folders that they are in.
_APART = {
    "apache2-doc": ("en", "fr"),
    "mit-scheme-doc": ("mit-scheme-ref", "mit-scheme-user"),
    "privoxy": ("user-manual", "faq", "developer-manual"),
}
_WITHOUT = ("kafka-site",)  # its menu stands in files that the corpus lacks


@dataclass(frozen=True)
class Site:
    """A folder of pages. `place` is where it stands on the host; `domain` what it calls itself."""

    name: str
    root: Path
    place: str
    domain: str = ""
    kind: str = "package"


def all_sites() -> list[Site]:
    """The sites of both corpora, in the order of their names."""
    found = [*_projects(), *_packages()]
    if not found:
        raise SystemExit(
            "no sites: set WEBGEIST_CORPORA to the folder that has `sites`, and WEBGEIST_DOCS to a "
            "folder of unpacked documentation packages"
        )
    return [replace(each, place=_place(number, each.name)) for number, each in enumerate(found)]


def _place(number: int, name: str) -> str:
    """Sites stand where people put them: in the first folder, the second or the third."""
    return (f"/{name}/", f"/docs/{name}/", f"/pub/{'abc'[number % 9 // 3]}/{name}/")[number % 3]


def _projects() -> Iterator[Site]:
    folder = Path(os.environ.get("WEBGEIST_CORPORA", "")) / "sites"
    for path in sorted(folder.glob("*")) if folder.is_dir() else ():
        if path.name in _WITHOUT:
            continue
        roots = [path / name for name in _ROOTS if (path / name).is_dir()]
        domain = path.name.partition("-")[0] + ".apache.org"
        yield Site(path.name, roots[0] if roots else path, "", domain, "project")


def _packages() -> Iterator[Site]:
    folder = os.environ.get("WEBGEIST_DOCS")
    for path in sorted(Path(folder).iterdir()) if folder and Path(folder).is_dir() else ():
        roots = [part for root in _roots(path) for part in _parts(path.name, root)]
        for number, root in enumerate(roots):
            yield Site(path.name if not number else f"{path.name}-{number}", root, "")


def _parts(name: str, root: Path) -> list[Path]:
    return [root / part for part in _APART[name]] if name in _APART else [root]


def _roots(folder: Path) -> list[Path]:
    """Where the documents of a package begin: the highest folders with a first page."""
    found: list[Path] = []
    waiting = deque([folder])
    while waiting:
        at = waiting.popleft()
        if any((at / name).is_file() for name in _INDEX):
            found.append(at)
        else:
            waiting.extend(sorted(p for p in at.iterdir() if p.is_dir() and not p.is_symlink()))
    return [path for path in found if sum(1 for _ in _html(path)) >= _SMALLEST][:3]


def _html(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*.*htm*")):
        if path.suffix in _PAGES and path.is_file() and not path.is_symlink():
            yield path


def pages(site: Site, most: int) -> list[LinkTree]:
    """What a crawl from the site's first page finds, breadth-first. Pages without a link are
    pieces of others; those that send the reader on at once are no pages either.
    """
    return [tree for tree in _crawl(site, most) if tree.links]


@cache
def _crawl(site: Site, most: int) -> list[LinkTree]:
    others = tuple(f"{HOST}{site.place}{name}" for name in _OTHERS.get(site.name, ()))
    urls = {_url(site, path): path for path in _html(site.root)}
    files = {page_key(url): path for url, path in urls.items() if not url.startswith(others)}
    start = [key for n in _INDEX if (key := page_key(_url(site, site.root / n))) in files]
    queue = deque(start[:1] or sorted(files)[:1])
    seen = set(queue)
    found: list[LinkTree] = []
    if not start or site.kind == "project":  # saved without the pages that lead to them
        queue.extend(key for key in sorted(files, key=lambda k: (k.count("/"), k)))
        seen.update(queue)
        queue = deque(dict.fromkeys(queue))
    while queue and len(found) < most:
        path = files[queue.popleft()]
        tree = read(site, path)
        if not _REFRESH.search(path.read_bytes()):
            found.append(tree)
        for link in tree.links.values():
            key = page_key(link.url) if link.url else ""
            if key in files and key not in seen:
                seen.add(key)
                queue.append(key)
    return found


def _url(site: Site, path: Path) -> str:
    return f"{HOST}{site.place}{path.relative_to(site.root).as_posix()}"


def read(site: Site, path: Path) -> LinkTree:
    """A page on the common host: what it says of its own server means its place there."""
    alone = f"http://{site.name}.localhost/"
    data = expanded(path.read_bytes(), path, site.root)
    tree = parse_html(alone + path.relative_to(site.root).as_posix(), data)
    tree.url = _url(site, path)
    moved = {alone: HOST + site.place}
    if site.domain:
        moved |= {f"{s}://{site.domain}/": HOST + site.place for s in ("http", "https")}
    for node, link in tree.links.items():
        tree.links[node] = replace(link, url=_moved(link.url, moved))
    return tree


def _moved(url: str | None, moved: Mapping[str, str]) -> str | None:
    for old, new in moved.items():
        if url and url.startswith(old):
            return new + url[len(old) :]
    return url


def expanded(data: bytes, path: Path, root: Path, depth: int = 0) -> bytes:
    """The page with what a server would include into it."""
    if b"#include" not in data or depth > 5:
        return data

    def content(match: re.Match[bytes]) -> bytes:
        name = match[2].decode("utf-8", "replace")
        file = root / name.lstrip("/") if name.startswith("/") else path.parent / name
        return expanded(file.read_bytes(), file, root, depth + 1) if file.is_file() else b""

    return _INCLUDE.sub(content, data)
