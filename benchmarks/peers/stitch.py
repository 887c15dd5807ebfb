"""List pages in the sites' own markup: the part of a page that holds a record, from several pages
of a site, one below the other in the place where the first one stood.

Arguments: the records corpus, a folder for the pages. The rows stand between comments, and a
comment stands before the title of each.
"""

from __future__ import annotations

import html
import sys
from collections import Counter
from pathlib import Path
from typing import Any

# In an environment of its own, together with the peer.
from lxml import etree  # type: ignore[import-not-found,import-untyped,unused-ignore]
from lxml import html as markup  # type: ignore[import-not-found,import-untyped,unused-ignore]

_ROWS = 8
_REFUSED = {"html", "body", "head", "title"}


def values(folder: Path, site: str) -> dict[str, list[str]]:
    """The values of each page's record."""
    found: dict[str, list[str]] = {}
    for path in sorted((folder / "groundtruth" / site.partition("-")[0]).glob(f"{site}-*.txt")):
        for line in path.read_text("utf-8-sig").splitlines()[2:]:
            page, _, *texts = line.split("\t")
            good = [" ".join(html.unescape(text).split()) for text in texts]
            found.setdefault(page, []).append(next((t for t in good if t != "<NULL>"), ""))
    return found


def holders(root: Any, wanted: list[str]) -> list[Any]:
    """The elements whose text is one of the values."""
    found = []
    for value in filter(None, wanted):
        for element in root.iter():
            if not isinstance(element.tag, str) or element.tag in (
                "script",
                "style",
                "title",
                "option",
            ):
                continue
            texts = [element.text or "", *((child.tail or "") for child in element)]
            if any(" ".join(text.split()) == value for text in texts):
                found.append(element)
                break
    return found


def record(root: Any, wanted: list[str]) -> tuple[Any, Any] | None:
    """The smallest element with all values that were found, and the first value's."""
    found = holders(root, wanted)
    if len(found) < 2:
        return None
    chains = [[*reversed(list(each.iterancestors())), each] for each in found]
    common = None
    for level in zip(*chains, strict=False):
        if any(each is not level[0] for each in level):
            break
        common = level[0]
    if common is None or common.tag in _REFUSED or common in found:
        return None
    return common, found[0]


def stitched(folder: Path, site: str) -> str | None:
    records: list[tuple[Any, Any, Any]] = []
    kinds: Counter[str] = Counter()
    for page, wanted in sorted(values(folder, site).items()):
        path = folder / site.partition("-")[0] / site / f"{page}.htm"
        if not path.exists():
            continue
        root: Any = markup.document_fromstring(path.read_bytes())
        for each in list(root.iter("script", "noscript", etree.Comment)):
            if each.getparent() is not None:
                each.drop_tree()
        found = record(root, wanted)
        if found:
            records.append((root, *found))
            kinds[_place(found[0])] += 1
    if not kinds:
        return None
    place = kinds.most_common(1)[0][0]
    chosen = [each for each in records if _place(each[1]) == place][:_ROWS]
    if len(chosen) < 5:
        return None
    chrome, first, _ = chosen[0]
    rows = [_row(number, element, title) for number, (_, element, title) in enumerate(chosen)]
    marker = etree.Comment("list goes here")
    first.getparent().replace(first, marker)
    text: str = markup.tostring(chrome, encoding="unicode", doctype="<!doctype html>")
    return text.replace("<!--list goes here-->", "".join(rows))


def _place(element: Any) -> str:
    """Where in its page an element stands; records are compared at the same place."""
    return f"{element.getparent().tag}/{element.tag}.{element.get('class', '')}"


def _row(number: int, element: Any, title: Any) -> str:
    title.addprevious(etree.Comment("cell"))
    element.tail = None
    body = markup.tostring(element, encoding="unicode")
    return f"<!--row {number}-->{body}<!--/row {number}-->"


if __name__ == "__main__":
    source, target = Path(sys.argv[1]), Path(sys.argv[2])
    for each in sorted(path.name for path in source.glob("*/*-*") if path.is_dir()):
        made = stitched(source, each)
        if made:
            (target / f"{each}.html").write_text(made, "utf-8")
        print(each, bool(made))
