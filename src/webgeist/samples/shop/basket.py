"""What the visitor carries along: basket and session, both in cookies, signed where it matters."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

_KEY = b"the sample shop keeps no secrets"
USERS = {"demo": "demo"}
MOST = 99  # of one product


def read(request: Request) -> dict[str, int]:
    """Products and their number, from a cookie such as `mug-k1:2|lamp-l7:1`."""
    basket: dict[str, int] = {}
    for entry in request.cookies.get("basket", "").split("|"):
        slug, _, number = entry.partition(":")
        if slug and number.isdecimal():
            basket[slug] = min(int(number), MOST)
    return basket


def write(basket: dict[str, int]) -> str:
    return "|".join(f"{slug}:{number}" for slug, number in basket.items() if number > 0)


def sign(text: str) -> str:
    """The text with its signature. Only we can write one that `verified` accepts."""
    return f"{text}.{hmac.new(_KEY, text.encode(), hashlib.sha256).hexdigest()[:32]}"


def verified(signed: str) -> str | None:
    text = signed.rpartition(".")[0]
    return text if text and hmac.compare_digest(sign(text).encode(), signed.encode()) else None


def user(request: Request) -> str | None:
    """Who is signed in."""
    name = verified(request.cookies.get("session", ""))
    return name if name in USERS else None
