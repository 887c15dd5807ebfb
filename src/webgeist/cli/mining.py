"""What `menus` and `sites` have in common: where pages come from, and mining them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from webgeist.errors import NotFoundError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.menus.result import Mined
    from webgeist.capture.model import Capture
    from webgeist.cli.output import Output

FolderOption = Annotated[
    Path | None,
    typer.Option(
        "--folder",
        metavar="DIR",
        file_okay=False,
        help="Saved HTML files instead of a repository; no browser is needed.",
    ),
]
BaseOption = Annotated[
    str | None,
    typer.Option("--base-url", metavar="URL", help="Where the folder was [http://localhost/]."),
]
MethodOption = Annotated[
    str,
    typer.Option(
        "--method",
        help="template: by what pages have in the same place; paper: MenuMiner's cliques.",
    ),
]
RenderedOption = Annotated[
    bool,
    typer.Option("--rendered", help="Of captures: a painted box of links is one list."),
]
TEMPLATE = "template"
_HERE = "http://localhost/"
_SUFFIXES = frozenset({".html", ".htm", ".xhtml", ".shtml", ".xht"})
_PERHAPS = frozenset({"", ".php", ".asp", ".aspx", ".jsp", ".cgi", ".cfm"})
_HEAD = 1024  # bytes in which a file tells that it is HTML


def mine(
    repo: Path,
    folder: Path | None,
    base_url: str | None,
    output: Output,
    *,
    method: str,
    rendered: bool,
) -> Mined:
    """The menus of a repository's newest captures, or of a folder."""
    from webgeist.analyses.menus.mining import mine_menus

    if folder is None:
        if base_url is not None:
            raise UsageError("--base-url is the address of a --folder", remedy="--folder DIR")
        return _mine_repository(repo, method, rendered=rendered)
    if rendered:
        raise UsageError("saved HTML has no blocks that were rendered", remedy="--repo DIR")
    if not folder.is_dir():
        raise NotFoundError(f"there is no folder {folder}")
    return mine_menus(saved_pages(folder, base_url or _HERE, output), method=method)


def _mine_repository(repo: Path, method: str, *, rendered: bool) -> Mined:
    from webgeist.analyses.menus.mining import mine_menus
    from webgeist.repository.repository import open_repository

    with open_repository(repo, readonly=True) as repository:
        newest = {entry.url: entry.capture for entry in repository.captures()}

        def pages() -> Iterator[tuple[str, Capture]]:
            for url, capture in newest.items():
                opened = repository.capture(capture)
                yield url, opened
                opened.close()

        return mine_menus(pages(), method=method, rendered=rendered)


def saved_pages(folder: Path, base_url: str, output: Output) -> Iterator[tuple[str, bytes]]:
    """The HTML files of a folder under their addresses, in the order of their names."""
    from webgeist.page.links import resolve

    base = base_url if base_url.endswith("/") else base_url + "/"
    if not (resolve(base, "") or "").startswith("http"):
        raise UsageError(f"{base_url!r} is no address of a site", remedy="https://example.org/")
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        try:
            html = _html(path)
        except OSError as error:
            output.warn(f"{path} cannot be read: {error.strerror}")
            continue
        if html is not None:
            name = str(path.relative_to(folder).as_posix()).encode("utf-8", "surrogateescape")
            yield base + quote(name), html


def _html(path: Path) -> bytes | None:
    """What is in a file, if it is a page."""
    suffix = path.suffix.lower()
    if suffix in _SUFFIXES:
        return path.read_bytes()
    if suffix not in _PERHAPS:
        return None
    with path.open("rb") as file:
        head = file.read(_HEAD)
        return head + file.read() if b"<html" in head.lower() else None
