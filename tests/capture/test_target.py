"""What can be captured: URLs and saved files; and what a saved page may read."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from webgeist.capture.target import SavedPage, Target, check_url, parse_target
from webgeist.errors import LimitError, NotFoundError, UsageError

if TYPE_CHECKING:
    from pathlib import Path

BASE = "http://example.org/dir/page.html"


@pytest.mark.parametrize(
    "url",
    [
        *("http://example.org", "https://example.org/a?b#c", "HTTP://EXAMPLE.ORG/"),
        *("http://127.0.0.1:8000/", "http://[::1]:80/", "https://user:pw@example.org/"),
        *("http://example.org/ä", "http://exämple.org/", "http://localhost"),
    ],
)
def test_a_url_is_taken_as_it_is(url: str) -> None:
    assert parse_target(url) == Target(url)


@pytest.mark.parametrize(
    "text",
    [
        *("http://", "http:///path", "http://a b/", "http://[half", "http://h:99999/"),
        *("http://h:0/", "http://h:port/", "http://h/\n", "https://"),
        *(" ", "\0", "nonsense", "javascript:alert(1)", "data:text/html,x", "about:blank"),
        *("ftp://example.org/", "chrome://crash"),
        pytest.param("x" * 5_000, id="long name"),
        pytest.param("http://h/" + "a" * 2_000_000, id="long URL"),
    ],
)
def test_what_no_browser_should_open_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_target(text)
    assert caught.value.remedy
    assert len(caught.value.message) < 300


def test_an_address_without_a_scheme_is_refused_with_the_whole_one() -> None:
    with pytest.raises(UsageError) as caught:
        parse_target("example.org/path")
    assert caught.value.remedy == "write https://example.org/path"


def test_a_url_with_bytes_that_are_no_text_is_refused() -> None:
    """A shell's arguments that are not UTF-8 arrive as lone surrogates."""
    with pytest.raises(UsageError):
        check_url("http://example.org/\udcff")


def test_nothing_is_no_file() -> None:
    with pytest.raises(UsageError):
        parse_target("")


def test_the_message_shows_what_was_given() -> None:
    with pytest.raises(UsageError, match="xxxxx"):
        parse_target("x" * 1_000)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    folder = tmp_path / "saved pages"
    folder.mkdir()
    path = folder / "page ä.html"
    path.write_bytes(b"<p>\xff")
    return path


def test_a_file_is_read_as_bytes_and_has_its_own_address(saved: Path) -> None:
    target = parse_target(str(saved))
    assert target == Target(saved.as_uri(), SavedPage(b"<p>\xff", saved.parent))
    assert "%20" in target.url


def test_a_file_may_be_shown_under_a_url(saved: Path) -> None:
    assert parse_target(str(saved), url=BASE).url == BASE


def test_a_relative_path_is_a_file_too(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(saved.parent)
    assert parse_target("page ä.html") == parse_target(str(saved))


def test_a_file_url_is_a_file(tmp_path: Path) -> None:
    path = tmp_path / "plain.html"
    path.write_text("x")
    assert parse_target(f"file://{path}") == parse_target(str(path))


def test_a_file_url_may_be_quoted(saved: Path) -> None:
    assert parse_target(saved.as_uri()) == parse_target(str(saved))


@pytest.mark.parametrize("url", ["nonsense", "file:///etc/passwd", "javascript:x", "http://"])
def test_a_file_cannot_be_shown_under_something_else(saved: Path, url: str) -> None:
    with pytest.raises(UsageError):
        parse_target(str(saved), url=url)


def test_a_url_needs_no_other_url() -> None:
    with pytest.raises(UsageError, match="--url"):
        parse_target("http://example.org/", url=BASE)


@pytest.mark.parametrize("name", ["missing.html", "missing.htm", "."])
def test_a_missing_file_is_not_found(tmp_path: Path, name: str) -> None:
    with pytest.raises(NotFoundError):
        parse_target(str(tmp_path / name))
    with pytest.raises(NotFoundError):
        parse_target("file:///nowhere/at/all")


def test_a_file_above_the_limit_is_not_read(saved: Path) -> None:
    assert parse_target(str(saved), most_bytes=4).saved
    with pytest.raises(LimitError, match="larger than 3 bytes") as caught:
        parse_target(str(saved), most_bytes=3)
    assert "limits.file_bytes" in str(caught.value.remedy)


def test_a_huge_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "huge.html"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # a hole: it takes no room
    with pytest.raises(LimitError):
        parse_target(str(path))


@pytest.fixture
def beside(tmp_path: Path) -> SavedPage:
    """A saved page with files in its folder and a secret outside it."""
    folder = tmp_path / "saved"
    (folder / "img").mkdir(parents=True)
    (folder / "style.css").write_bytes(b"css")
    (folder / "img" / "a b.png").write_bytes(b"png")
    (folder / "unknown.zzz").write_bytes(b"?")
    (tmp_path / "secret.txt").write_bytes(b"secret")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "out").symlink_to(tmp_path)
    (folder / "near.css").symlink_to(folder / "style.css")
    return SavedPage(b"", folder)


@pytest.mark.parametrize(
    ("url", "answer"),
    [
        ("style.css", (b"css", "text/css")),
        ("style.css?v=1#x", (b"css", "text/css")),
        ("img/a%20b.png", (b"png", "image/png")),
        ("img/../style.css", (b"css", "text/css")),
        ("near.css", (b"css", "text/css")),
        ("unknown.zzz", (b"?", "application/octet-stream")),
    ],
)
def test_a_saved_page_gets_the_files_beside_it(
    beside: SavedPage, url: str, answer: tuple[bytes, str]
) -> None:
    assert beside.answer(BASE, f"http://example.org/dir/{url}") == answer


@pytest.mark.parametrize(
    "url",
    [
        *("dir/missing.css", "dir/", "dir/img", "dir/img/", "", "style.css", "dirt/style.css"),
        *("dir/../secret.txt", "dir/%2e%2e/secret.txt", "dir/..%2fsecret.txt"),
        *("dir/link.txt", "dir/out/secret.txt", "dir//etc/passwd", "dir/%2fetc/passwd"),
        *("dir/style.css/x", "dir/%2e%2e/saved/../secret.txt"),
    ],
)
def test_a_saved_page_gets_nothing_else(beside: SavedPage, url: str) -> None:
    assert beside.answer(BASE, f"http://example.org/{url}") is None


@pytest.mark.parametrize(
    "url", ["http://other.org/dir/style.css", "https://example.org/dir/style.css", "data:x", ""]
)
def test_a_saved_page_gets_nothing_of_other_hosts(beside: SavedPage, url: str) -> None:
    assert beside.answer(BASE, url) is None


@pytest.mark.parametrize("name", ["a%00b.png", pytest.param("x" * 300 + ".png", id="long name")])
def test_a_name_that_no_file_can_have_is_no_file(beside: SavedPage, name: str) -> None:
    assert beside.answer(BASE, f"http://example.org/dir/{name}") is None


def test_a_link_to_itself_is_no_file(beside: SavedPage) -> None:
    (beside.folder / "loop.css").symlink_to(beside.folder / "loop.css")
    assert beside.answer(BASE, "http://example.org/dir/loop.css") is None
