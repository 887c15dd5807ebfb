"""autopager: which links of saved pages it takes for pagination.

The argument is a file with a JSON object in each line: `html` (a file), `url`. It says for each
page, as JSON, its base and the links by label; an error's name where it fails on a page.
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

# In an environment of its own, which the type checker does not see.
import autopager  # type: ignore[import-not-found]

_BASE = re.compile(r"""<base[^>]+href=["']([^"']+)""", re.IGNORECASE)


def found(html: str, url: str) -> dict[str, object]:
    """The label and the href of each link; it knows PAGE, NEXT and PREV."""
    base = _BASE.search(html)
    links = [(label, link.attrib.get("href", "")) for label, link in autopager.extract(html)]
    return {"base": base[1] if base else url, "links": links}


def main(asked: Path) -> None:
    answers: list[dict[str, object] | str] = []
    for line in asked.read_text("utf-8").splitlines():
        page = json.loads(line)
        html = Path(page["html"]).read_bytes().decode("utf-8", "replace")
        try:
            answers.append(found(html, page["url"]))
        except Exception as error:  # noqa: BLE001 - a page that it cannot read is one that it has not
            answers.append(type(error).__name__)
    print(json.dumps(answers))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
