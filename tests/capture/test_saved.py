"""Pages that were saved: shown under their address, with nothing fetched and nothing run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.capture.target import parse_target

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Site, Studio


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    (tmp_path / "style.css").write_text("p { color: rgb(1, 2, 3) }")
    path = tmp_path / "page.html"
    path.write_text(
        "<link rel=stylesheet href=style.css><link rel=stylesheet href=/other.css>"
        "<p>saved</p><img src=missing.gif><iframe src=frame.html></iframe>"
        "<script>document.write('run')</script><p onclick='x' id=q>end</p>"
    )
    return path


def test_a_saved_page_fetches_nothing_and_runs_nothing(
    studio: Studio, site: Site, saved: Path
) -> None:
    capture = studio.shoot(parse_target(str(saved), url=site.url("/dir/page.html")))
    assert capture.ok
    assert site.log == []
    page = capture.page
    assert page is not None
    assert capture.info.url == site.url("/dir/page.html")
    assert page.style(page.find("p")[0])["color"] == "rgb(1, 2, 3)"
    assert page.text(page.find("body")[0]).startswith("saved")
    assert "run" not in page.text(0)
    errors = dict(zip(*capture.requests.select(["url", "error"]).to_pydict().values(), strict=True))
    assert "BLOCKED_BY_CLIENT" in errors[site.url("/other.css")]
    assert "BLOCKED_BY_CLIENT" in errors[site.url("/dir/missing.gif")]
    assert errors[site.url("/dir/style.css")] is None


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org/", "https://example.org/a%20b?c=d", None),
        # Chromium spells these differently:
        *("http://example.org", "http://example.org/a#part", "http://Example.org/"),
        *("http://example.org:80/", "http://example.org/ä"),
    ],
)
def test_a_saved_page_is_shown_under_any_url(
    studio: Studio, tmp_path: Path, url: str | None
) -> None:
    path = tmp_path / "a page ä.html"
    path.write_text("<p>saved")
    capture = studio.shoot(parse_target(str(path), url=url))
    assert capture.ok, capture.info.reason
    assert capture.page is not None
    assert capture.page.text(0) == "saved"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>grüße »".encode(), "grüße »"),
        (b"<!--" + b" " * 2000 + b"--><meta charset=utf-8><p>" + "你好".encode(), "你好"),
        ("<script src=x charset=ascii></script><p>grüße".encode(), "grüße"),
        ("<p>grüße".encode("latin-1"), "grüße"),
        ("<meta charset=windows-1251><p>привет".encode("cp1251"), "привет"),
        (
            "<meta http-equiv=content-type content='text/html; charset=latin1'><p>Â»".encode(
                "latin1"
            ),
            "Â»",
        ),
        ("\ufeff<p>grüße".encode("utf-16-le"), "grüße"),
    ],
)
def test_letters_are_read_as_their_server_meant_them(
    studio: Studio, tmp_path: Path, body: bytes, text: str
) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(body)
    page = studio.shoot(parse_target(str(path))).page
    assert page is not None
    assert page.text(page.find("p")[0]) == text
