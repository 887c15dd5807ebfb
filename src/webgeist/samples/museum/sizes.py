"""Hall: pages that are too large, too deep, too long, or nothing at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse, Response

from webgeist.samples.museum.exhibit import Exhibit, Hall, html, number, page

if TYPE_CHECKING:
    from collections.abc import Callable

    from starlette.requests import Request

    from webgeist.samples.museum.exhibit import Answer

_CUT = "a client captures the page, or stops at its limit and says which"
_NOTHING = "a client reports a page with nothing to see, not a failed one"


def _sized(title: str, name: str, default: int, make: Callable[[int], str]) -> Answer:
    def answer(request: Request) -> Response:
        return HTMLResponse(html(title, make(number(request, name, default))))

    return answer


def _size(
    path: str,
    title: str,
    nastiness: str,
    sized: tuple[str, int, Callable[[int], str]],
    expected: str = _CUT,
) -> Exhibit:
    name, default, make = sized
    answer = _sized(title, name, default, make)
    return Exhibit(f"/sizes/{path}?{name}={default}", title, nastiness, expected, "page", answer)


def _nested(levels: int) -> str:
    """By script: Chromium's parser itself stops nesting at 512 levels and puts the rest side by side."""
    return (
        f"<script>let place = document.body; for (let n = 0; n < {levels}; n++)"
        " place = place.appendChild(document.createElement('div')); place.textContent = 'the bottom'</script>"
    )


def _nested_tables(levels: int) -> str:
    return "<table><tr><td>" * levels + "the bottom" + "</td></tr></table>" * levels


def _attributes(count: int) -> str:
    return (
        "<div " + " ".join(f'data-a{n}="{n:>080}"' for n in range(count)) + ">Many attributes</div>"
    )


def _styles(count: int) -> str:
    rules = "\n".join(f".c{n} {{ color: #{n:06x}; margin: {n % 50}px }}" for n in range(count))
    used = "".join(f'<p class="c{n}">Rule {n}</p>' for n in range(0, count, 100))
    return f"<style>{rules}</style>{used}"


_LARGE = (
    _size("nodes", "A hundred thousand nodes", "100,000 elements (n says how many)", ("n", 100_000, lambda n: "<i>x</i>" * n)),
    _size("deep", "Deep nesting", "5,000 elements inside each other: Chromium's own layout runs out of stack and the page crashes (n says how many; 900 survive)", ("n", 5_000, _nested), "a client reports that the page crashed, and the next page loads; with fewer levels it captures them all"),
    _size("unclosed", "Never closed", "5,000 elements opened and never closed: a parser's own limit of depth", ("n", 5_000, lambda n: "<div>" * n + "the bottom")),
    _size("tables", "Nested tables", "400 tables inside each other: layout takes long", ("n", 400, _nested_tables)),
    _size("tall", "Tall page", "60,000 pixels high: taller than pictures may be", ("h", 60_000, lambda h: f'<div style="height:{h}px;background:linear-gradient(teal,gold)">tall</div>')),
    _size("wide", "Wide page", "20,000 pixels wide", ("w", 20_000, lambda w: f'<div style="width:{w}px;height:80px;background:linear-gradient(90deg,teal,gold)">wide</div>')),
    _size("links", "Five thousand links", "5,000 links on one page", ("n", 5_000, lambda n: "\n".join(f'<a href="/sizes/nodes?n={k}">Link {k}</a>' for k in range(n)))),
    _size("attributes", "A megabyte of attributes", "one element with 10,000 attributes", ("n", 10_000, _attributes)),
    _size("attribute", "One attribute of a megabyte", "one attribute value of a million characters", ("n", 1_000_000, lambda n: f'<p title="{"a" * n}">Long title</p>')),
    _size("text", "Ten megabytes of text", "one text node of ten million characters", ("n", 10_000_000, lambda n: f"<p>{'word ' * (n // 5)}</p>")),
    _size("word", "One word of a million letters", "text that cannot be broken into lines", ("n", 1_000_000, lambda n: f"<p>{'w' * n}</p>")),
    _size("styles", "Ten thousand style rules", "a style sheet of 10,000 rules", ("n", 10_000, _styles)),
    _size("title", "Long title", "a title of 100,000 characters, by script and in headings", ("n", 100_000, lambda n: f"<h1>{'T' * n}</h1><script>document.title = 'T'.repeat({n})</script>")),
    _size("canvas", "Many canvases", "200 canvases of four megapixels", ("n", 200, lambda n: '<canvas width="2000" height="2000"></canvas>' * n)),
)  # fmt: skip

_INVISIBLE = (
    ("zero", "Body of no size", "the body is 0 by 0 pixels and clips its content", "<style>html,body{width:0;height:0;margin:0;overflow:hidden}</style>"),
    ("hidden", "Hidden root", "the root element is display: none: nothing has a box", "<style>html{display:none}</style>"),
    ("transparent", "Transparent root", "everything is there and nothing can be seen", "<style>html{opacity:0}</style>"),
    ("outside", "Outside the page", "all content stands at negative positions", "<style>body{position:absolute;left:-9999px;top:-9999px}</style>"),
    ("extreme", "Extreme boxes", "boxes at the limits of what layout can express", "<style>p{width:1e38px;height:1e38px;transform:scale(1e20) rotate(1e9deg);margin:-1e9px;z-index:2147483647}</style>"),
)  # fmt: skip

HALL = Hall(
    "Too large, or nothing",
    (
        *_LARGE,
        *(
            Exhibit(f"/sizes/{path}", title, nastiness, _NOTHING, "page", page(title, "<h1>Hidden</h1><p>Text</p>", head))
            for path, title, nastiness, head in _INVISIBLE
        ),
        Exhibit(
            "/sizes/frameset",
            "Frameset",
            "an old page of frames, without a body",
            "a client captures the frames' content or reports a page without body",
            "page",
            lambda _: HTMLResponse(
                '<html><head><title>Frames</title></head><frameset cols="20%,80%">'
                '<frame src="/sizes/links?n=20"><frame src="/sizes/deep?n=5"></frameset></html>'
            ),
        ),
    ),
)  # fmt: skip
