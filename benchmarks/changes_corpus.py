"""Pages from the corpora `changes` and `articles`: rendered with nothing fetched, kept for later.

WEBGEIST_CORPORA names the folder that has `changes/terms` and `articles`. Rendering takes a second
for each of 939 and 200 files; WEBGEIST_CHANGES_CACHE names a folder that keeps what was seen for
the next run.
"""

from __future__ import annotations

import asyncio
import csv
import json
import os
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import studio
from benchmarks.changes_cache import Cache
from webgeist.analyses.changes import content, marks
from webgeist.analyses.changes import portrait as portrait_
from webgeist.analyses.changes.portrait import Portrait, portrait
from webgeist.capture.camera import Camera
from webgeist.capture.target import SavedPage, Target, parse_target
from webgeist.page import painting

if TYPE_CHECKING:
    from collections.abc import Mapping

PORTRAYING = (portrait_, content, marks, painting)  # what a portrait depends on
_ARTICLES = 200  # pages
# Services of one company share pages: they are never on both sides of a split.
_COMPANIES = {
    **dict.fromkeys(("Bing", "MSN", "Skype"), "Microsoft"),
    **dict.fromkeys(("AdMob", "Waze", "Optimize"), "Google"),
    "Alexa": "Amazon",
    "Cloudant": "IBM",
    "Firefox": "Mozilla",
}


@dataclass(frozen=True)
class Sample:
    """A pair of versions with the judgement of a third party."""

    service: str
    status: str
    important: bool
    before: Portrait
    after: Portrait
    files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Article:
    """A page, and fragments of text that belong to its article or do not."""

    url: str
    page: Portrait
    inside: tuple[str, ...]
    outside: tuple[str, ...]


def corpus(file: str) -> Path:
    """The folder of a corpus' list; the run ends with a sentence if it is nowhere."""
    folder = os.environ.get("WEBGEIST_CORPORA")
    if not folder or not (Path(folder) / file).is_file():
        sys.exit(f"give --corpora, or set WEBGEIST_CORPORA to, the folder that has {file}")
    return (Path(folder) / file).parent


def terms(*, short: bool) -> list[Sample]:
    """All pairs, or those of every sixth document."""
    folder = corpus("changes/terms/pairs.csv")
    with (folder / "pairs.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    if short:
        some = set(sorted({row["document"] for row in rows})[::6])
        rows = [row for row in rows if row["document"] in some]
    files = {folder / row["document"] / row[side] for row in rows for side in "ab"}
    seen = asyncio.run(portraits({path: parse_target(str(path)) for path in sorted(files)}))
    return [sample for row in rows if (sample := _sample(folder, row, seen))]


def articles(*, short: bool) -> list[Article]:
    """Some pages whose article and surroundings are known, the same ones each time."""
    folder = corpus("articles/evaldata.json")
    known = json.loads((folder / "evaldata.json").read_text("utf-8"))
    files = {url: folder / "pages" / told["file"] for url, told in known.items()}
    whole = [u for u in sorted(known) if known[u].get("with") and known[u].get("without")]
    urls = [url for url in whole if files[url].is_file()]
    random.Random(5).shuffle(urls)
    urls = urls[: _ARTICLES // 6 if short else _ARTICLES]
    seen = asyncio.run(
        portraits(
            {
                files[url]: Target(url, SavedPage(files[url].read_bytes(), files[url].parent))
                for url in urls
            }
        )
    )
    return [
        Article(url, page, tuple(known[url]["with"]), tuple(known[url]["without"]))
        for url in urls
        if (page := seen[files[url]]) is not None
    ]


def service_of(document: str) -> str:
    """The company whose document it is."""
    name = document.split("_", maxsplit=1)[0]
    return _COMPANIES.get(name, name)


def _sample(folder: Path, row: dict[str, str], seen: dict[Path, Portrait | None]) -> Sample | None:
    files = tuple(folder / row["document"] / row[side] for side in "ab")
    before, after = (seen[file] for file in files)
    if before is None or after is None:
        return None
    service = service_of(row["document"])
    return Sample(service, row["status"], row["important"] == "1", before, after, files)


async def portraits(targets: Mapping[Path, Target]) -> dict[Path, Portrait | None]:
    """The portrait of each page; None where it has none."""
    cache = Cache("portraits", PORTRAYING)
    seen: dict[Path, Portrait | None] = {}
    async with Camera(studio.settings(studio.NO_PICTURE)) as camera:
        for path, target in targets.items():
            name = f"{path.parent.name}-{path.stem}"
            try:
                seen[path] = cache.get(name)
            except KeyError:
                taken = await camera.capture(target)
                seen[path] = None if taken.page is None else portrait(taken.page)
                taken.close()
                cache.put(name, seen[path])
    return seen
