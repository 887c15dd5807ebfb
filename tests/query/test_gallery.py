"""Pictures of cursors: what is drawn, and what is left out."""

from __future__ import annotations

import base64
import gzip
import io
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import make_capture, new_repository

from webgeist.query.gallery import SIDE, gallery, picture

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.exchange import Headers

DOT = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6px"><circle r="3"/></svg>'


def pixels(form: str, size: tuple[int, int] = (40, 20)) -> bytes:
    written = io.BytesIO()
    Image.new("RGB", size, (250, 10, 10)).save(written, form)
    return written.getvalue()


def shown(address: str | None) -> bytes:
    assert address is not None
    return base64.b64decode(address.partition(",")[2])


@pytest.mark.parametrize("form", ["PNG", "GIF", "ICO", "JPEG", "WEBP", "BMP"])
def test_pictures_are_made_anew_and_small(form: str) -> None:
    drawn = Image.open(io.BytesIO(shown(picture(pixels(form)))), formats=["PNG"])
    assert max(drawn.size) <= SIDE
    red, green, _, opacity = drawn.getpixel((drawn.width // 2, drawn.height // 2))  # type: ignore[misc]
    assert (red > 230, green < 30, opacity) == (True, True, 255)


@pytest.mark.parametrize("inside", ["png", "bmp"])
def test_a_cursor_file(inside: str) -> None:
    icon = io.BytesIO()
    Image.new("RGBA", (16, 16), (0, 0, 255, 255)).save(icon, "ICO", bitmap_format=inside)
    cursor = icon.getvalue()[:2] + b"\x02\x00" + icon.getvalue()[4:]
    drawn = Image.open(io.BytesIO(shown(picture(cursor))))
    assert drawn.getpixel((8, 8)) == (0, 0, 255, 255)


def test_a_drawing_keeps_its_shape() -> None:
    drawn = shown(picture(DOT)).decode()
    assert 'viewBox="0 0 9 6"' in drawn
    assert f'width="{SIDE}"' in drawn


@pytest.mark.parametrize(
    "inside",
    [
        '<image href="http://other.test/x.png"/>',
        '<image xlink:href="//other.test/x.png" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
        '<image href="file:///etc/hostname"/>',
        '<rect style="fill: u\\rl( &quot;http://other.test&quot;)"/>',
        "<style>@import 'x.css'</style>",
        '<image href="data:image/svg+xml,%3Csvg%3E"/>',
    ],
)
def test_a_drawing_that_leads_out_is_left_out(inside: str) -> None:
    head, end = DOT.decode().removesuffix("</svg>"), "</svg>"
    assert picture(f"{head}<rect fill='url(#a)'/>{end}".encode()) is not None
    assert picture(f"{head}{inside}{end}".encode()) is None


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no picture",
        b"<html>",
        b"<p/>",
        b'<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>',
        pixels("PNG")[:60],
        pixels("PNG", (2000, 2000)),
    ],
)
def test_what_is_no_small_picture_is_left_out(body: bytes) -> None:
    assert picture(body) is None


def stored_under(folder: Path, body: bytes, headers: Headers, values: list[str]) -> dict[str, str]:
    exchange = make_exchange("http://h.test/dot", body, headers=headers)
    with new_repository(folder) as repository:
        repository.add(replace(make_capture(1), exchanges=(exchange,)))
        close_bodies()
        repository.publish()
        with repository.release() as release:
            return gallery(repository, release, values)


def test_values_lead_to_what_is_stored(tmp_path: Path) -> None:
    inline = base64.b64encode(pixels("PNG")).decode()
    values = [
        'url("http://h.test/dot") 16 16, auto',
        'url("http://h.test/missing"), url("http://h.test/dot"), pointer',
        f'url("data:image/png;base64,{inline}"), auto',
        "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E\"), auto",
        'url("data:image/png;base64,A"), auto',
        'url("http://h.test/missing"), auto',
        "pointer",
    ]
    kind = ((b"Content-Type", b"image/svg+xml"),)
    found = stored_under(tmp_path / "r", DOT, kind, values)
    assert list(found) == values[:4]
    assert found[values[0]] == found[values[1]] == picture(DOT)


def test_bodies_are_unpacked(tmp_path: Path) -> None:
    kind = ((b"Content-Type", b"image/svg+xml"), (b"Content-Encoding", b"gzip"))
    value = 'url("http://h.test/dot"), auto'
    assert stored_under(tmp_path / "r", gzip.compress(DOT), kind, [value]) == {value: picture(DOT)}


def test_bodies_that_grow_too_large_are_left_out(tmp_path: Path) -> None:
    kind = ((b"Content-Encoding", b"gzip"),)
    bomb = gzip.compress(DOT + b" " * 2_000_000)
    assert stored_under(tmp_path / "r", bomb, kind, ['url("http://h.test/dot")']) == {}
