"""Whether the rows of lists are found: from one cell of the first row, and without any.

The lists are made of the records corpus (WEBGEIST_CORPORA), with sites and markup that were not
looked at while relations were built (`made`), and of the corpus pages' own markup (`own`), of which
a quarter of the sites was set aside. A list counts when all rows are found, none is added, and each
has its own texts alone. autoscraper counts when it finds the titles alone, all of them and nothing
else, from the first one.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import webgeist
from benchmarks import pages
from benchmarks.list_pages import corpus, list_pages
from webgeist.page.model import COMMENT
from webgeist.scrape.relations.find import find_rows
from webgeist.scrape.relations.propose import propose_rows
from webgeist.scrape.relations.tree import Tree
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.scrape.relations.model import Row

BAR_ONE, BAR_NONE = 0.95, 0.85
OWN, SET_ASIDE = "own", "own, set aside"
_PEERS = Path(__file__).parent / "peers"
_PACKAGES = ("autoscraper", "beautifulsoup4<4.13")  # with newer ones it finds nothing at all


@dataclass(frozen=True)
class Page:
    """A page with a list: its file, and its name."""

    kind: str
    name: str
    file: Path


def run(*, short: bool) -> dict[str, Any]:
    with TemporaryDirectory() as folder:
        peer = _peer()
        lists = list(_pages(Path(folder), peer, short=short))
        found, asked = [], []
        for page, tree in zip(lists, _trees(lists), strict=True):
            rows = truth(tree)
            found.append({"kind": page.kind, "name": page.name, **_judged(tree, rows)})
            titles = [tree.text(_first_cell(tree, row)) for row in rows]
            asked.append(json.dumps({"html": str(page.file), "titles": titles}))
        for each, good in zip(found, _autoscraper(Path(folder), peer, asked), strict=True):
            each["peer"] = good
    return {"lists": found}


def _pages(folder: Path, peer: Path, *, short: bool) -> Iterator[Page]:
    made = list(list_pages(corpus(), unseen=True))
    for page in made[: 10 if short else None]:
        file = folder / f"{page.name}.html"
        file.write_text(page.html, "utf-8")
        yield Page("made", page.name, file)
    if not short:
        own = folder / "own"
        own.mkdir()
        command = [peer, _PEERS / "stitch.py", corpus(), own]
        subprocess.run(command, check=True, capture_output=True)
        for file in sorted(own.glob("*.html")):
            yield Page(OWN if not _is_set_aside(file.stem) else SET_ASIDE, file.stem, file)


def _is_set_aside(site: str) -> bool:
    """A quarter of the sites, by hash: not looked at while relations were made better."""
    return int(hashlib.sha256(site.encode()).hexdigest(), 16) % 4 == 0


def _peer() -> Path:
    """The Python that has autoscraper; it is installed when it is first needed."""
    folder = pages.cache_folder().with_name("webgeist-autoscraper")
    if not folder.exists():
        try:
            venv.create(folder, with_pip=True)
            pip = [str(folder / "bin" / "pip"), "install", "--quiet", *_PACKAGES]
            subprocess.run(pip, check=True, capture_output=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder / "bin" / "python"


def _trees(lists: Sequence[Page]) -> Iterator[Tree]:
    settings = Settings.model_validate({"capture": {"screenshot": "none"}})
    files = [page.file for page in lists]
    for number, capture in enumerate(webgeist.capture_all(files, settings=settings)):
        if not capture.page:
            raise AssertionError(f"{lists[number].name}: {capture.info.reason}")
        print(f"  {number + 1}/{len(lists)} {lists[number].name}", file=sys.stderr)
        yield Tree(capture.page)
        capture.close()


def truth(tree: Tree) -> list[set[int]]:
    """The leaves of each row, from the comments around it."""
    page, shown = tree.page, set(tree.leaves(0))
    rows: list[set[int]] = []
    inside = False
    for node in range(len(page)):
        if page.type[node] == COMMENT:
            said = page.texts[node] or ""
            if re.fullmatch(r"row \d+", said):
                rows.append(set())
            inside = bool(re.fullmatch(r"row \d+|cell", said)) or (
                inside and not said.startswith("/row")
            )
        elif inside and node in shown:
            rows[-1].add(node)
    return rows


def _first_cell(tree: Tree, row: set[int]) -> int:
    """The title of a row, where a comment says which; else its first leaf."""
    page = tree.page
    marks = [n for n in range(min(row)) if page.type[n] == COMMENT and page.texts[n] == "cell"]
    inner = [
        n for n in range(min(row), max(row)) if page.type[n] == COMMENT and page.texts[n] == "cell"
    ]
    after = (inner or marks or [0])[0]
    return min((leaf for leaf in row if leaf > after), default=min(row))


def _judged(tree: Tree, rows: list[set[int]]) -> dict[str, Any]:
    one = _leaves(tree, find_rows(tree, [_first_cell(tree, rows[0])]))
    proposed = [_leaves(tree, each.rows) for each in propose_rows(tree)[:3]]
    return {
        "rows": len(rows),
        "one": one == rows,
        "none": proposed[:1] == [rows],
        "among_three": rows in proposed,
    }


def _leaves(tree: Tree, rows: Sequence[Row]) -> list[set[int]]:
    return [{leaf for node in row.nodes for leaf in tree.leaves(node)} for row in rows]


def _autoscraper(folder: Path, peer: Path, asked: list[str]) -> list[bool]:
    file = folder / "asked.jsonl"
    file.write_text("\n".join(asked), "utf-8")
    command = [peer, _PEERS / "autoscraper_peer.py", file]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    answers: list[bool] = json.loads(said)
    return answers


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"Rows found exactly (bars {BAR_ONE:.0%} and {BAR_NONE:.0%})",
        "",
        "| lists | count | from one cell | proposed first | among three | autoscraper |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for kind in ("made", OWN, SET_ASIDE):
        found = [each for each in figures["lists"] if each["kind"] == kind]
        shares = [
            f"{sum(each[what] for each in found) / len(found):.0%}"
            for what in ("one", "none", "among_three", "peer")
            if found
        ]
        if found:
            lines.append(f"| {kind} | {len(found)} | {' | '.join(shares)} |")
    return lines
