"""What can be captured: an address on the web, or a saved HTML file under its address."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from webgeist.errors import LimitError, NotFoundError, UsageError, WebgeistError

_SCHEMES = frozenset({"http", "https"})
_SHOWN = 200  # characters of a wrong address in a message
_LONGEST_URL = 2_000_000  # Chromium's own limit is 2 MB


@dataclass(frozen=True)
class SavedPage:
    """An HTML file and the folder it came with. Its page may have files of that folder, no more."""

    body: bytes
    folder: Path

    def answer(self, base: str, url: str) -> tuple[bytes, str] | None:
        """The saved file that `url` means for a page saved from `base`, with its media type."""
        directory = urljoin(base, ".")
        plain = url.partition("#")[0].partition("?")[0]
        if not plain.startswith(directory):
            return None
        try:
            path = (self.folder / unquote(plain[len(directory) :])).resolve()
            if not path.is_relative_to(self.folder.resolve()) or not path.is_file():
                return None
            data = path.read_bytes()
        except (OSError, RuntimeError, ValueError):
            # A name that no file can have, a loop of links, a file we may not read: the page asks
            # for what is not there, as pages do.
            return None
        return data, mimetypes.guess_type(path.name)[0] or "application/octet-stream"


@dataclass(frozen=True)
class Target:
    """A URL to load, or the saved page to show under it."""

    url: str
    saved: SavedPage | None = None


def parse_target(text: str, *, url: str | None = None, most_bytes: int = 100_000_000) -> Target:
    """`text` is a URL or the path of a saved HTML file, which `url` then gives its address."""
    if urlsplit_or_none(text) in _SCHEMES:
        if url is not None:
            raise UsageError("--url is for saved files", remedy=f"leave it out for {text}")
        return Target(check_url(text))
    if not text:
        raise _not_a_url(text)
    try:
        path = Path(unquote(urlsplit(text).path)) if text.startswith("file://") else Path(text)
        if path.is_file():
            return _saved(path, url, most_bytes)
        looks_like_path = path.suffix in {".html", ".htm", ".xhtml"} or path.is_dir()
    except (OSError, ValueError) as error:  # a name no file system can have
        raise _not_a_url(text) from error
    if looks_like_path or text.startswith("file:"):
        raise NotFoundError(f"there is no file {path}", remedy="check the path")
    raise _not_a_url(text)


def check_url(url: str) -> str:
    """`url` itself, if a browser could open it."""
    try:
        parts = urlsplit(url)
        valid = parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        valid = False
    if not valid or len(url) > _LONGEST_URL or any(char.isspace() for char in url):
        raise _not_a_url(url)
    if any("\ud800" <= char <= "\udfff" for char in url):  # bytes of a shell that are no text
        raise _not_a_url(url)
    return url


def urlsplit_or_none(text: str) -> str | None:
    try:
        return urlsplit(text).scheme
    except ValueError:
        return None


def _saved(path: Path, url: str | None, most_bytes: int) -> Target:
    if path.stat().st_size > most_bytes:
        raise LimitError(
            f"{path} is larger than {most_bytes} bytes", remedy="raise limits.file_bytes"
        )
    try:
        body = path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    address = check_url(url) if url else path.resolve().as_uri()
    return Target(address, SavedPage(body, path.resolve().parent))


def _not_a_url(text: str) -> WebgeistError:
    shown = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    bare = "." in text and "/" not in text.partition(".")[0] and not any(c.isspace() for c in text)
    remedy = f"write https://{shown}" if bare and ":" not in text else "give http://… or https://…"
    return UsageError(f"{shown!r} is neither a URL nor a file", remedy=remedy)
