"""Pages and portraits for tests of changes."""

from __future__ import annotations

from typing import Any

from webgeist.analyses.changes.portrait import Passage, Portrait

PROSE = (
    "The river rose by three metres in one night and took the old bridge with it, say the people "
    "who live there."
)
MORE = (
    "Nobody was hurt, and the town is going to build a new bridge next to where the old one stood "
    "for so long."
)
LAST = "The council meets on the first floor of the town hall to decide how the work is to be paid."


def news(
    *paragraphs: str,
    menu: str = "Sport",
    footer: str = "© 2025 The paper",
    notice: str = "",
    title: str = "The flood",
    aside: str = "Weather: 3 degrees",
) -> str:
    """A page of a newspaper."""
    texts = "".join(f"<p>{text}</p>" for text in paragraphs or (PROSE, MORE, LAST))
    return (
        "<!doctype html><title>News</title><body>"
        f"{notice}<header><nav><ul><li><a href=/>Home</a><li><a href=/x>{menu}</a></ul></nav>"
        f"</header><main><h1>{title}</h1>{texts}</main><aside>{aside}</aside>"
        f"<footer>{footer}</footer>"
    )


def passage(text: str, **more: Any) -> Passage:
    """A paragraph of the content, unless told otherwise."""
    values: dict[str, Any] = {
        "words": len(text.split()),
        "node": 1,
        "tag": "p",
        "box": (0.0, 0.0, 100.0, 20.0),
        "seen": True,
        "linked": 0.0,
        "targets": (),
        "style": ("16px",),
        "size": 16.0,
        "path": 1,
        "marks": 0,
        "within": 3,
        "early": False,
    }
    return Passage(text, **(values | more))


def page(*texts: str | Passage) -> Portrait:
    found = tuple(passage(each) if isinstance(each, str) else each for each in texts)
    return Portrait(found, 1280.0, 960.0, "Page", 16.0, (0.0, 0.0, 1280.0, 900.0))
