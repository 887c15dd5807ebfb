"""autopager 0.3.1 on the pages of the pagination corpus, in an environment of its own.

Its model was learned from pages that other people labelled, most likely these: it has seen what we
hold out.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import venv
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from benchmarks import pages as shelves
from benchmarks.pagination_corpus import LABELS
from webgeist.page.links import resolve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.pagination_corpus import LabelledPage

_PACKAGE = "autopager==0.3.1"
_SCRIPT = Path(__file__).parent / "peers" / "autopager_peer.py"


def peer_answers(folder: Path, pages: Sequence[LabelledPage]) -> list[dict[str, set[str]]]:
    """Labels by target, as ours; nothing for a page on which it fails."""
    with TemporaryDirectory() as place:
        asked = Path(place) / "asked.jsonl"
        lines = ({"html": str(folder / "pages" / page.file), "url": page.url} for page in pages)
        asked.write_text("\n".join(json.dumps(line) for line in lines), "utf-8")
        command = [str(_python()), str(_SCRIPT), str(asked)]
        told = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return [_targets(page, each) for page, each in zip(pages, json.loads(told), strict=True)]


def _targets(page: LabelledPage, told: dict[str, Any] | str) -> dict[str, set[str]]:
    """Without links to the page itself, which nobody is scored by."""
    found: dict[str, set[str]] = defaultdict(set)
    if isinstance(told, str):
        return {}
    base = urljoin(page.url, told["base"])
    for label, href in told["links"]:
        target = resolve(base, href.strip())
        if target is not None and _plain(target) != _plain(page.url):
            found[_plain(target)].add(LABELS[label])
    return dict(found)


def _plain(url: str) -> str:
    return url.partition("#")[0].rstrip("/")


def _python() -> Path:
    """The Python that has autopager; it is installed when it is first needed."""
    folder = shelves.cache_folder().with_name("webgeist-autopager")
    if not folder.exists():
        try:
            venv.create(folder, with_pip=True)
            pip = [str(folder / "bin" / "pip"), "install", "--quiet", _PACKAGE]
            subprocess.run(pip, check=True, capture_output=True)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder / "bin" / "python"
