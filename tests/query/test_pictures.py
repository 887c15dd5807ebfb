"""Pictures of demographics, in every format."""

from __future__ import annotations

import io
import json
import sys
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from webgeist.errors import UsageError
from webgeist.query.gallery import picture
from webgeist.query.pictures import FORMATS, draw, rendered, save
from webgeist.query.stats import NAMES, stats

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.repository.release import Release


@pytest.mark.parametrize("name", sorted({*NAMES} - {"fonts"}))  # the world here has no fonts
def test_every_one_is_drawn(release: Release, name: str) -> None:
    picture = Image.open(io.BytesIO(rendered(draw(stats(release, name, limit=8)), "png")))
    assert picture.width > 300
    colours = picture.convert("RGB").getcolors(1 << 24)
    assert colours is not None
    assert len(colours) > 10


@pytest.mark.parametrize("form", FORMATS)
def test_every_format(release: Release, tmp_path: Path, form: str) -> None:
    save(stats(release, "cursors"), tmp_path / f"picture.{form}")
    raw = (tmp_path / f"picture.{form}").read_bytes()
    starts = {"png": b"\x89PNG", "svg": b"<svg", "html": b"<!DOCTYPE html>", "json": b"{"}
    assert raw.lstrip().startswith(starts[form])
    if form == "html":
        assert b'src="http' not in raw


def test_another_format_is_a_mistake(release: Release, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"\.png"):
        save(stats(release, "cursors"), tmp_path / "picture.gif")


def test_a_failed_picture_leaves_the_one_before(release: Release, tmp_path: Path) -> None:
    target = tmp_path / "picture.gif"
    target.write_bytes(b"before")
    with pytest.raises(UsageError):
        save(stats(release, "cursors"), target)
    assert target.read_bytes() == b"before"


def test_colours_are_drawn_in_themselves(release: Release) -> None:
    text, _ = stats(release, "colours").panels
    svg = rendered(draw(stats(release, "colours")), "svg").decode()
    for row in text.table.to_pylist():
        if row["value"].startswith("rgb("):
            assert f'fill="{row["value"]}"' in svg or row["value"].replace(" ", "") in svg


def test_all_rows_are_in_the_description(release: Release) -> None:
    found = stats(release, "cursors")
    chart = json.loads(rendered(draw(found), "json"))
    data = chart["data"]["values"]
    assert [row["value"] for row in data] == found.panels[0].table.column("value").to_pylist()


def test_without_altair_it_says_what_to_install(
    release: Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(UsageError, match="Altair"):
        draw(stats(release, "cursors"))


def test_a_gallery_shows_what_values_name(release: Release) -> None:
    found = stats(release, "cursors")
    value = found.named()[0]
    dot = picture(b'<svg xmlns="http://www.w3.org/2000/svg"><circle r="9" fill="#f0f"/></svg>')
    assert dot is not None
    assert dot not in rendered(draw(found), "json").decode()
    assert dot in rendered(draw(found, {value: dot}), "json").decode()
    drawn = Image.open(io.BytesIO(rendered(draw(found, {value: dot}), "png"))).convert("RGB")
    colours = drawn.getcolors(1 << 24)
    assert colours is not None
    assert (255, 0, 255) in [colour for _, colour in colours]
