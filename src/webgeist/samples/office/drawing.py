"""The frame of the office's pages."""

from __future__ import annotations

from html import escape

_STYLE = (
    "<style>body{font:1rem/1.5 sans-serif;max-width:52rem;margin:2rem auto}"
    "article{border:1px solid #bbb;padding:.5rem 1rem;margin:1rem 0;min-height:5rem}"
    "table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.3rem .6rem}</style>"
)


def html(title: str, body: str) -> str:
    safe = escape(title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{safe}</title>{_STYLE}</head>'
        f"<body><h1>{safe}</h1>{body}</body></html>"
    )
