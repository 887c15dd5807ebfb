"""Windows by name and by size."""

from __future__ import annotations

import pytest

from webgeist.capture.viewport import VIEWPORTS, Viewport, parse_viewport
from webgeist.errors import UsageError


@pytest.mark.parametrize("name", ["desktop", "laptop", "tablet", "mobile"])
def test_a_name_gives_its_viewport(name: str) -> None:
    assert parse_viewport(name) == VIEWPORTS[name]
    assert VIEWPORTS[name].name == name


@pytest.mark.parametrize(
    ("text", "width", "height"),
    [("1280x960", 1280, 960), ("10x10", 10, 10), ("16384x16384", 16_384, 16_384)],
)
def test_a_size_gives_a_window_without_tricks(text: str, width: int, height: int) -> None:
    assert parse_viewport(text) == Viewport(text, width, height, scale=1.0, mobile=False)


@pytest.mark.parametrize(
    "text",
    [
        *("", "Desktop", "1280", "1280x", "x960", "1280x960x2", "1280X960", "-10x100"),
        *("1280 x 960", "16385x100", "100x16385", "99999x99999", "9x100", "1280x960\n"),
        "12.5x100",
    ],
)
def test_anything_else_is_refused_with_examples(text: str) -> None:
    with pytest.raises(UsageError, match="is no viewport") as caught:
        parse_viewport(text)
    assert "desktop" in str(caught.value.remedy)
    assert "1280x960" in str(caught.value.remedy)


@pytest.mark.parametrize("text", ["00x00", "00x100", "100x00"])
def test_a_window_without_a_size_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_viewport(text)


def test_metrics_are_what_the_protocol_takes() -> None:
    assert parse_viewport("mobile").metrics() == {
        "width": 390,
        "height": 844,
        "deviceScaleFactor": 2,
        "mobile": True,
    }
