"""Arrows and brackets that stand for words: » is next, or last beside a single ›."""

from __future__ import annotations

from functools import lru_cache

_FORWARD = set(">›»→▶►❯❱⟩≫⇒➔➜➤➡⯈＞〉》⏩⏭▸▷⇨⟶➞➝⮞⇢\ue080\uf054\uf105\uf061\uf0da")
_BACKWARD = set("<‹«←◀◄❮❰⟨≪⇐⬅⯇＜〈《⏪⏮◂◁⇦⟵⮜⇠\ue079\uf053\uf104\uf060\uf0d9")
_DOUBLE = set("»«≫≪⏩⏪⏭⏮》《")
_BARS = set("|｜¦")
_ELLIPSIS = {"...", "…", "..", "・・・", "⋯", "....", ". . ."}
_IGNORED = set(" \t\n\r\xa0[](){}.-–—:=_~*\ufe0e\ufe0f\u200e\u200f")


@lru_cache(maxsize=20_000)
def arrow(text: str) -> str | None:
    """`next`, `next-double`, `previous`, `previous-double` for a text that is arrows and nothing
    else; `…` for dots; None for anything else.
    """
    plain = text.strip()
    if not plain or len(plain) > 6:
        return None
    if plain in _ELLIPSIS:
        return "…"
    marks = [c for c in plain if c not in _IGNORED]
    bars = [c for c in marks if c in _BARS]
    marks = [c for c in marks if c not in _BARS]
    if not marks:
        return None
    for name, known in (("next", _FORWARD), ("previous", _BACKWARD)):
        if all(c in known for c in marks):
            double = len(marks) > 1 or marks[0] in _DOUBLE or bars
            return f"{name}-double" if double else name
    return None


@lru_cache(maxsize=50_000)
def arrow_beside(text: str) -> str | None:
    """The same for an arrow at an edge of other words: `Next »`, `« Zurück`."""
    plain = text.strip()
    if len(plain) < 3:
        return None
    if plain[-1] in _FORWARD and plain[0] not in _BACKWARD:
        return "next"
    if plain[0] in _BACKWARD and plain[-1] not in _FORWARD:
        return "previous"
    return None
