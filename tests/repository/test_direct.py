"""Single nodes, pages and pictures of a release."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import make_capture, make_page, new_repository, same

from webgeist.errors import NotFoundError
from webgeist.repository.ids import capture_id
from webgeist.repository.readers import open_release

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.repository.repository import Repository

IDS = [capture_id(make_capture(number).info) for number in range(4)]


@pytest.fixture(params=["packed", "older release"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Repository]:
    """Published by this webgeist, or by one that packed no pages. Capture 3 has no page."""
    with new_repository(tmp_path / "r", 0, 1, 2) as made:
        made.add(make_capture(3, nodes=0))
        made.publish()
        if request.param == "older release":
            path = made.layout.manifest(1)
            manifest = json.loads(path.read_bytes())
            del manifest["tables"]["packed_pages"]
            path.write_text(json.dumps(manifest))
        yield made


def test_a_node_with_its_columns_and_styles(repository: Repository) -> None:
    page = make_page(2)
    found = repository.release().node(IDS[2], 3)
    assert (found.capture, found.node, found["name"], found["text"]) == (IDS[2], 3, "p", "text 2")
    assert found["attributes"] == {"id": "n3"}
    assert (found["parent"], found["end"]) == (2, 5)
    assert set(found.columns) == set(page.nodes.column_names)
    assert found.styles == page.style(3)
    assert found.box == (1.5, 3.0, 10.0, 10.0)


def test_a_box_is_only_where_layout_is(repository: Repository) -> None:
    found = repository.release().node(IDS[0], 0)
    assert replace(found, columns=found.columns | {"x": None}).box is None


def test_a_page_is_that_of_the_capture(repository: Repository) -> None:
    release = repository.release()
    for number in range(3):
        page, expected = release.page(IDS[number]), make_page(number)
        assert page is not None
        assert page.nodes.equals(expected.nodes)
        assert page.styles_own.equals(expected.styles_own)
        assert page.styles_inherited.equals(expected.styles_inherited)
        assert page.documents == expected.documents
        assert same(release.capture(IDS[number]), make_capture(number))
    assert release.page(IDS[3]) is None
    assert release.capture(IDS[3]).page is None


@pytest.mark.parametrize(
    ("box", "size"),
    [
        ((0, 0, 8, 8), (8, 8)),
        ((1.5, 2.0, 3.2, 1.0), (4, 1)),
        ((-5, 6, 100, 100), (8, 2)),
        ((7.9, 7.9, 1e9, 1e9), (1, 1)),
    ],
)
def test_a_part_of_the_picture(
    repository: Repository, box: tuple[float, float, float, float], size: tuple[int, int]
) -> None:
    image = repository.release().crop(IDS[1], *box)
    shot = make_capture(1).screenshot
    assert shot is not None
    assert image.size == size
    assert image.getpixel((0, 0)) == shot.image().getpixel((0, 0))


def test_what_is_not_there(repository: Repository) -> None:
    release = repository.release()
    with pytest.raises(NotFoundError, match=r"no node 5.*0 to 4"):
        release.node(IDS[1], 5)
    with pytest.raises(NotFoundError, match="no node -1"):
        release.node(IDS[1], -1)
    with pytest.raises(NotFoundError, match=r"no node 0.*no page"):
        release.node(IDS[3], 0)
    for ask in (release.page, lambda id_: release.node(id_, 0)):
        with pytest.raises(NotFoundError, match="has no capture"):
            ask("0" * 26)
    with pytest.raises(NotFoundError, match=r"shows nothing there.*8x8"):
        release.crop(IDS[1], 8, 0, 5, 5)
    with pytest.raises(NotFoundError, match="has no screenshot"):
        release.crop(IDS[3], 0, 0, 5, 5)


def test_an_older_release_can_be_added_to(repository: Repository) -> None:
    repository.add(make_capture(9))
    repository.publish()
    release = open_release(repository.layout)
    for number in (0, 1, 2, 9):
        id_ = capture_id(make_capture(number).info)
        assert same(release.capture(id_), make_capture(number))
        assert release.node(id_, 1)["text"] == f"text {number}"
