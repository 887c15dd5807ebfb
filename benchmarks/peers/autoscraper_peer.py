"""autoscraper: what is like the title of the first row, on each page of a list.

The argument is a file with a JSON object in each line: `html` (a file), `titles` (of all rows). It
says for each page, as JSON, whether it found the titles of all rows and nothing else.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

# In an environment of its own, which the type checker does not see.
from autoscraper import AutoScraper  # type: ignore[import-not-found]


def found(html: str, titles: list[str]) -> list[str]:
    """What it finds similar to the first title; nothing where it fails."""
    try:
        return AutoScraper().build(html=html, wanted_list=titles[:1]) or []
    except Exception as error:  # noqa: BLE001 - a page that it cannot read is one that it has not
        print(f"autoscraper: {error}", file=sys.stderr)
        return []


def main(asked: Path) -> None:
    answers = []
    for line in asked.read_text("utf-8").splitlines():
        page = json.loads(line)
        texts = found(Path(page["html"]).read_text("utf-8"), page["titles"])
        answers.append({" ".join(text.split()) for text in texts} == set(page["titles"]))
    print(json.dumps(answers))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
