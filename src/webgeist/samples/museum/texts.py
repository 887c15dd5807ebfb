"""Hall: characters, markup and addresses that break those who handle strings carelessly."""

from __future__ import annotations

import json
from html import escape

from webgeist.samples.museum.exhibit import Exhibit, Hall, body, html, page

_KEPT = "a client captures the page, and everything it stores can be read again"
_CONTROLS = "".join(map(chr, (*range(1, 9), 11, *range(14, 32), *range(127, 160))))
_LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))
_XHTML = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{title}</title></head><body><p>{text}</p></body></html>'
_MARKUP_IN_TEXT = "</script><script>alert('workbench')</script><img src=x onerror=alert(1)>"
_MARKUP_IN_SCRIPT = json.dumps(_MARKUP_IN_TEXT).replace("</", "<\\/")

HREFS = (
    "data:text/html,<h1>data</h1>",
    "javascript:alert('clicked')",
    "JaVaScRiPt:\talert(1)",
    "mailto:curator@museum.localhost?subject=hello",
    "tel:+49301234567",
    "ftp://museum.localhost/old/",
    "file:///etc/hostname",
    "blob:http://museum.localhost/1",
    "view-source:http://museum.localhost/",
    "",
    "#",
    "#:~:text=museum",
    "?",
    "//",
    "///three",
    "http://",
    "http:///path",
    "http:museum.localhost",
    "http://[::1",
    "http://[::1]:9/",
    "http://museum.localhost:99999/",
    "http://museum.localhost:port/",
    "http://user:password@museum.localhost/",
    "http://mu seum.localhost/",
    "http://museum..localhost/",
    "http://münchen.localhost/straße?größe=1#maß",
    "http://xn--mnchen-3ya.localhost/",
    "http://例え.localhost/テスト",
    "http://" + "a" * 70 + ".localhost/",
    "http://0x7f.1:9/",
    "/%zz%",
    "/%00",
    "/%2e%2e/%2E%2E/etc",
    "/a/../../../../b",
    "/a\\b\\c",
    " /spaces around ",
    "/new\nline\r\n/and\ttab",
    "/quote\"'<>`",
    "/\ud7ff\ufffd\uffff",
    "/long/" + "x" * 10_000,
    "/query?" + "&".join(f"k{n}=v" for n in range(1_000)),
)


def _text(
    path: str, title: str, nastiness: str, answer_body: str, expected: str = _KEPT
) -> Exhibit:
    return Exhibit(f"/texts/{path}", title, nastiness, expected, "page", page(title, answer_body))


def _xml(path: str, title: str, nastiness: str, document: str, expected: str) -> Exhibit:
    content_type = "application/xhtml+xml; charset=utf-8"
    answer = body(document.encode(), content_type)
    return Exhibit(
        f"/texts/{path}", title, nastiness, expected, "page", answer, content_type=content_type
    )


_CHARACTERS = (
    Exhibit(
        "/texts/null",
        "Null characters",
        "NUL bytes in title, text, attributes and tag names",
        _KEPT,
        "page",
        body(
            html("Nu\0ll", '<h1 title="a\0b">Be\0fore</h1><p\0q>odd element</p\0q><a href="/nu\0ll">link</a>').encode(),
            "text/html; charset=utf-8",
        ),
    ),
    _text("controls", "Control characters", "all control characters in text and attributes, raw and as references", f'<p title="{_CONTROLS}">{_CONTROLS}</p><p>&#1;&#8;&#128;&#159;&#xFFFE;&#x1FFFF;&#x110000;</p>'),
    _text("surrogates", "Lone surrogates", "half surrogate pairs in title, text, attributes and names: no UTF-8 can hold them", "<p id=p>Text</p><script>document.title = 'half \\ud800 title'; p.textContent = 'half \\udfff text';\np.setAttribute('data-half', 'x\\ud83d'); p.className = '\\udc00'; console.log('half \\ud800 message')</script>"),
    _text("bidi", "Text in both directions", "override marks that turn the order of characters around", "<h1>invoice\u202egpj.exe</h1><p>\u2066\u2067\u2068\u200f\u061c</p>"),
    _text("combining", "Piled accents", "a letter with a thousand accents", "<p>z" + "\u0300\u0321\u0489" * 400 + "</p>"),
    _text("emoji", "Characters beyond the first plane", "families, flags and private characters", "<p>\U0001f468\u200d\U0001f469\u200d\U0001f467 \U0001f3f4\U000e0067\U000e0062\U000e007f \U0010fffd \ufdd0</p>"),
    _text("injection", "Markup as text", "text, titles and attributes that become scripts where a viewer forgets to escape", f'<h1>{escape(_MARKUP_IN_TEXT)}</h1><p title="{escape(_MARKUP_IN_TEXT)}">=HYPERLINK("http://museum.localhost")</p><p>\'; DROP TABLE captures; --</p><p>{{{{ 7 * 7 }}}} ${{7 * 7}} %(x)s \x1b[31mred\x1b[0m</p><script>document.title = {_MARKUP_IN_SCRIPT}</script>', "a client escapes every string wherever it shows or exports it"),
)  # fmt: skip

_MARKUP = (
    Exhibit("/texts/soup", "Tag soup", "unclosed, crossed and misplaced tags, and five bodies", _KEPT, "page", body(b"<p><b><i>one</b>two</i><table><p>in table<tr><li></table></body><body class=2><html class=3>" * 5 + b"<!-- <textarea><plaintext>" + b"<svg><math><p>" * 20, "text/html; charset=utf-8")),
    Exhibit("/texts/cut", "Cut page", "the HTML ends within a tag", _KEPT, "page", body(b"<!doctype html><title>Cut</title><p>text<a href='/unfin", "text/html; charset=utf-8")),
    _text("base", "Foreign base", "a base element that sends every relative link elsewhere", '<base href="http://elsewhere.localhost:1/deep/"><a href="page">relative</a>', "a client resolves links as a browser does, and stays in its scope"),
    _text("canonical", "Foreign canonical", "a canonical link to another site and a refresh of a thousand years", '<link rel="canonical" href="http://elsewhere.localhost/"><meta http-equiv="refresh" content="31536000000;url=/">', "a client does not leave the page, nor file it under the other site"),
    _xml("laughs.xhtml", "Billion laughs", "nested XML entities that expand to a billion words", f'<!DOCTYPE html [<!ENTITY l0 "ha">{_LAUGHS}]>' + _XHTML.format(title="Laughs", text="&l9;"), "a client captures the browser's error page or nothing, within its limits"),
    _xml("entity.xhtml", "External entity", "an XML entity that names a local file", '<!DOCTYPE html [<!ENTITY file SYSTEM "file:///etc/hostname">]>' + _XHTML.format(title="Entity", text="&file;"), "a client reads no local file"),
    _xml("broken.xhtml", "Broken XHTML", "XHTML that is not well-formed", _XHTML.format(title="Broken", text="<b>never closed"), "a client captures the part before the error, as the browser shows it"),
)  # fmt: skip

_LINKS = _text(
    "links",
    "Nasty links",
    "links with odd schemes, malformed, international and 10,000-character addresses",
    "\n".join(f'<a href="{escape(href)}">Link {n}</a>' for n, href in enumerate(HREFS)),
    "a client keeps each link as written, follows only sound http ones, and none makes it fail",
)

HALL = Hall("Characters, markup and addresses", (*_CHARACTERS, *_MARKUP, _LINKS))
