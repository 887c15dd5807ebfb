"""Versions of pages from public repositories, with their style sheets: corpus `changes/histories`.

Each version's HTML and files are stored by hash; a page is shown as its web server would have shown
it. The corpus counts the words that changed between consecutive versions, in menus and footers too.
"""

from __future__ import annotations

import csv
import json
import mimetypes
import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

from benchmarks.changes_corpus import corpus
from webgeist.capture.target import SavedPage, Target

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_HOST = "history.example"
MOST = 6  # pairs of a repository with, and as many without, changed words


@dataclass(frozen=True)
class StoredPage(SavedPage):
    """A page whose files are stored by hash, under a root folder of the repository."""

    assets: tuple[tuple[str, str], ...] = ()
    root: str = ""

    def answer(self, base: str, url: str) -> tuple[bytes, str] | None:
        del base
        parts = urlsplit(url)
        name = self.root + unquote(parts.path).lstrip("/")
        blob = dict(self.assets).get(name)
        if parts.hostname != _HOST or blob is None or not (self.folder / blob).is_file():
            return None
        return (self.folder / blob).read_bytes(), mimetypes.guess_type(name)[0] or "text/plain"


@dataclass(frozen=True)
class History:
    """Two versions: their names, the repository, and how many words changed anywhere."""

    names: tuple[str, str]
    repository: str
    words: int


def histories(most: int = MOST) -> tuple[list[History], dict[str, Target]]:
    """Pairs whose style sheets are complete, `most` of each repository with changed words and as
    many without; and how to show them.
    """
    folder = corpus("changes/histories/pairs.csv")
    pairs = list(_some(folder, most))
    wanted = {name for pair in pairs for name in pair.names}
    pages = sorted({name.rpartition("--")[0] for name in wanted})
    targets = {name: made for page in pages for name, made in _versions(folder, page)}
    return pairs, {name: targets[name] for name in sorted(wanted)}


def _some(folder: Path, most: int) -> Iterator[History]:
    with (folder / "pairs.csv").open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["has_local_css"] == "1"]
    random.Random(9).shuffle(rows)
    taken: Counter[tuple[str, bool]] = Counter()
    for row in rows:
        repository, words = row["page"].split("__")[0], int(row["words_changed"])
        taken[repository, words > 0] += 1
        if taken[repository, words > 0] <= most:
            one, other = (f"{row['page']}--{row[side]}" for side in ("commit_a", "commit_b"))
            yield History((one, other), repository, words)


def _versions(folder: Path, page: str) -> Iterator[tuple[str, Target]]:
    told: dict[str, Any] = json.loads((folder / f"{page}.json").read_text("utf-8"))
    root = (told["docroot"] or "").rstrip("/")
    root = root + "/" if root else ""
    address = f"http://{_HOST}/{told['path'].removeprefix(root)}"
    for version in told["versions"]:
        body = (folder / "blobs" / version["html"]).read_bytes()
        assets = tuple(version["assets"].items())
        saved = StoredPage(body, folder / "blobs", assets, root)
        yield f"{page}--{version['commit'][:10]}", Target(address, saved)
