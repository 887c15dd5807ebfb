"""Screenshots and parts of them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.repository.making import make_capture
from tests.server.asking import FAILED, IDS, serving

if TYPE_CHECKING:
    from pathlib import Path

    import httpx
    from tests.server.asking import Asked


def _image(answer: httpx.Response) -> Image.Image:
    assert answer.status_code == 200, answer.text
    return Image.open(io.BytesIO(answer.content))


def test_the_whole_is_sent_as_it_was_stored(server: Asked) -> None:
    shot = make_capture(1).screenshot
    assert shot is not None
    answer = server.get(f"/v1/pages/{IDS[1]}/screenshot.jpeg")
    assert (answer.content, answer.headers["content-type"]) == (shot.tiles[0], "image/jpeg")
    as_png = _image(server.get(f"/v1/pages/{IDS[1]}/screenshot.png"))
    assert (as_png.format, as_png.size) == ("PNG", (8, 8))


@pytest.mark.parametrize(
    ("part", "size"),
    [
        ("screenshot.png?x=1&y=2&width=3&height=4", (3, 4)),
        ("screenshot.png?x=-5&y=6&width=100&height=100", (8, 2)),
        ("nodes/2.png", (7, 6)),
        ("blocks/0.png", (8, 8)),
    ],
)
def test_a_part_of_it(server: Asked, part: str, size: tuple[int, int]) -> None:
    assert _image(server.get(f"/v1/pages/{IDS[1]}/{part}")).size == size


def test_a_thumbnail(server: Asked) -> None:
    answer = server.get(f"/v1/pages/{IDS[1]}/thumbnail.jpeg")
    assert answer.content == make_capture(1).thumbnail


def test_pictures_may_be_kept_for_good(server: Asked) -> None:
    for part in ("screenshot.jpeg", "thumbnail.jpeg", "nodes/0.png"):
        answer = server.get(f"/v1/pages/{IDS[1]}/{part}")
        assert "immutable" in answer.headers["cache-control"]
        again = server.get(answer.url.path, headers={"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert "immutable" in again.headers["cache-control"]


def test_what_is_not_there(server: Asked) -> None:
    assert "no screenshot" in server.problem(f"/v1/pages/{FAILED}/screenshot.png", 404)["detail"]
    assert "8x8" in server.problem(f"/v1/pages/{IDS[1]}/screenshot.png?x=8", 404)["remedy"]
    for wrong in ("x=nan", "width=0", "height=inf", "x=1e300"):
        server.problem(f"/v1/pages/{IDS[1]}/screenshot.png?{wrong}", 400)
    server.problem(f"/v1/pages/{IDS[1]}/screenshot.gif", 404)
    server.problem(f"/v1/pages/{IDS[1]}/nodes/99.png", 404)


def test_no_picture_is_larger_than_its_limit(folder: Path) -> None:
    with serving(folder, picture_pixels=10) as asked:
        found = asked.problem(f"/v1/pages/{IDS[1]}/screenshot.png", 422)
        assert "8x8 pixels" in found["detail"]
        assert "parts" in found["remedy"]
        assert asked.get(f"/v1/pages/{IDS[1]}/screenshot.png?width=3&height=3").status_code == 200
        assert asked.get(f"/v1/pages/{IDS[1]}/screenshot.jpeg").status_code == 200
