"""`$fetch`: the resources that an answer names, such as the image files of cursors."""

from __future__ import annotations

import mimetypes
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webgeist.errors import LimitError, UsageError
from webgeist.query.ask import ask
from webgeist.repository.archive.cdxj import mime_type
from webgeist.repository.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from webgeist.query.ask import Answer
    from webgeist.repository.release import Release
    from webgeist.repository.repository import Repository

_CSS_URL = re.compile(r"""url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^)"'\s]*))\s*\)""")
_AT_ONCE = 1_000  # addresses in one question
_MOST = 100_000  # addresses of an answer
_GOOD = range(200, 300)


@dataclass(frozen=True)
class Fetched:
    """An address that an answer named. `file` is None where nothing is stored under it."""

    url: str
    sha256: str | None
    file: str | None


def addresses(texts: Iterable[str | None]) -> list[str]:
    """The addresses in CSS texts (`url("…")`), or the texts themselves where they are some."""
    found: dict[str, None] = {}
    for text in texts:
        if text is None:
            continue
        named = named_in(text)
        if not named and text.startswith(("http://", "https://")):
            named = [text]
        found |= dict.fromkeys(url for url in named if url.startswith(("http://", "https://")))
    return list(found)


def named_in(text: str) -> list[str]:
    """What a CSS text names by `url(…)`."""
    return ["".join(parts) for parts in _CSS_URL.findall(text)]


def stored(release: Release, urls: list[str]) -> dict[str, str]:
    """From address to the SHA-256 of what it answered, for those with a good answer."""
    found: dict[str, str] = {}
    for start in range(0, len(urls), _AT_ONCE):
        query = {
            "$from": "@resources",
            "$where": {
                "url": urls[start : start + _AT_ONCE],
                "sha256": {"$exists": True},
                "status": {"$between": [_GOOD.start, _GOOD.stop - 1]},
            },
            "$group": ["url"],
            "$select": [{"sha256": {"$max": "sha256"}}],
        }
        found |= {row["url"]: row["sha256"] for row in ask(release, query).rows()}
    return found


def fetch(repository: Repository, release: Release, answer: Answer, folder: Path) -> list[Fetched]:
    """Write each resource that the answer's `$fetch` column names to a folder, as it was sent,
    under its content's hash. UsageError where the query has no `$fetch`.
    """
    if answer.fetch is None:
        raise UsageError("the query fetches nothing", remedy='"$fetch": "cursor"')
    known = named(release, answer)
    return [_fetched(repository, url, sha256, folder) for url, sha256 in known.items()]


def named(release: Release, answer: Answer) -> dict[str, str | None]:
    """The addresses that the answer's `$fetch` column names, with the SHA-256 of what is stored
    under each; none where it fetches nothing. LimitError for very many.
    """
    if answer.fetch is None:
        return {}
    urls = addresses(answer.table.column(answer.fetch).to_pylist())
    if len(urls) > _MOST:
        raise LimitError(
            f"the answer names {len(urls):,} resources, and {_MOST:,} are fetched at most",
            remedy="$limit",
        )
    known = stored(release, urls)
    return {url: known.get(url) for url in urls}


def _fetched(repository: Repository, url: str, sha256: str | None, folder: Path) -> Fetched:
    if sha256 is None:
        return Fetched(url, None, None)
    answer = repository.resource(sha256)
    name = f"{sha256[:32]}{mimetypes.guess_extension(mime_type(answer.headers)) or ''}"
    write_atomically(folder / name, lambda target: target.writelines(answer.body.chunks()))
    return Fetched(url, sha256, name)
