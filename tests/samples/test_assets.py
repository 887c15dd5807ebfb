"""What /assets serves, asked over a real socket through the shop."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.samples import pictures

if TYPE_CHECKING:
    from tests.samples.conftest import Visitor

SITE = "shop"


@pytest.mark.parametrize(
    ("path", "kind", "start"),
    [
        ("/assets/fonts/webgeist-display.woff2", "font/woff2", b"wOF2"),
        ("/assets/photo/landscape-1/40x30.jpg", "image/jpeg", b"\xff\xd8\xff"),
        ("/assets/svg/logo/40x30.svg", "image/svg+xml", b"<svg "),
    ],
)
def test_an_asset_has_its_type_and_may_be_kept(
    visitor: Visitor, path: str, kind: str, start: bytes
) -> None:
    answer = visitor.ask(path)
    assert answer.status == 200
    assert answer.headers["content-type"].split(";")[0] == kind
    assert "max-age=31536000" in answer.headers["cache-control"]
    assert answer.body.startswith(start)


def test_the_address_says_which_picture(visitor: Visitor) -> None:
    assert visitor.ask("/assets/photo/product-mug-3/50x60.jpg").body == pictures.photo(
        "product-mug-3", 50, 60
    )


def test_other_origins_may_use_the_font(visitor: Visitor) -> None:
    answer = visitor.ask("/assets/fonts/webgeist-display.woff2")
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/fonts/none.woff2",
        "/assets/fonts/..%2f..%2fsite.woff2",
        "/assets/fonts/CARD.md",
        "/assets/photo/a/0x10.jpg",
        "/assets/photo/a/9999x10.jpg",
        "/assets/photo/a/axb.jpg",
        "/assets/svg/a/10x99999.svg",
    ],
)
def test_what_is_not_there_is_not_found(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404
