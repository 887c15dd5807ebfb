"""webgeist changes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from tests.analyses.changes.drawn import TEXT, drawn, encoded
from tests.analyses.changes.pages import LAST, MORE, PROSE, news
from tests.conftest import ARGUMENTS

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run
from webgeist.repository.init import make_if_missing
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Shooter

URL = "http://example.org/news"


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGEIST_BROWSER_ARGUMENTS", ARGUMENTS)


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Three versions: the second has another article, the third another menu."""
    versions = (news(), news(PROSE.replace("three", "five"), MORE, LAST), news(menu="Games"))
    for name, html in zip("abc", versions, strict=True):
        (tmp_path / f"{name}.html").write_text(html, "utf-8")
    return tmp_path


def test_pairs_of_saved_files_as_json_lines(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (saved / "pairs.csv").write_text("a,b\na.html,b.html\na.html,c.html\na.html,a.html\n")
    options = ["--pairs", str(saved / "pairs.csv"), "--root", str(saved), "--jsonl"]
    assert run(["changes", *options]) == ExitCode.DONE
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(line["a"], line["b"]) for line in lines] == [
        ("a.html", "b.html"),
        ("a.html", "c.html"),
        ("a.html", "a.html"),
    ]
    assert [line["important"] for line in lines] == [True, False, False]
    assert {"a", "b", "score", "important", "regions", "reason"} <= set(lines[0])
    assert lines[0]["regions"][0]["type"] == "article"
    assert lines[2]["reason"] == "nothing changed"


def test_a_pair_with_picture_and_exit_code(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b, picture = (str(saved / name) for name in ("a.html", "b.html", "out.png"))
    command = ["changes", "--pair", a, b, "--picture", picture, "--exit-code"]
    assert run(command) == ExitCode.CHANGED
    told = capsys.readouterr().out
    assert "important" in told
    assert "1 paragraph edited in the content" in told
    with Image.open(picture) as image:
        assert image.width > 2 * 1280
        blue = (31, 90, 220)
        assert blue in {colour for _, colour in image.getcolors(1 << 24) or ()}


def test_an_unimportant_change_exits_with_zero(saved: Path) -> None:
    pair = [str(saved / "a.html"), str(saved / "c.html")]
    assert run(["changes", "--pair", *pair, "--exit-code"]) == ExitCode.DONE


def test_the_versions_of_a_page_in_a_repository(
    tmp_path: Path, shoot_html: Shooter, capsys: pytest.CaptureFixture[str]
) -> None:
    repo = tmp_path / "r"
    make_if_missing(repo)
    with open_repository(repo) as repository:
        first = repository.add(shoot_html(news(), url=URL))
        second = repository.add(shoot_html(news(menu="Games"), url=URL))
        third = repository.add(shoot_html(news(PROSE, LAST, menu="Games"), url=URL))
    for wanted in (URL, third):
        assert run(["changes", wanted, "--repo", str(repo), "--json"]) == ExitCode.DONE
        found = json.loads(capsys.readouterr().out)["changes"]
        assert [(each["a"], each["b"]) for each in found] == [(first, second), (second, third)]
        assert [each["important"] for each in found] == [False, True]
    assert run(["changes", "--pair", first, third, "--repo", str(repo), "--json"]) == ExitCode.DONE
    assert json.loads(capsys.readouterr().out)["changes"][0]["important"]


@pytest.mark.parametrize(
    "command",
    [
        [],
        ["http://a.test/", "--pairs", "x.csv"],
        ["http://a.test/", "--picture", "x.png"],
    ],
)
def test_what_makes_no_sense(command: list[str]) -> None:
    assert run(["changes", *command]) == ExitCode.USAGE


@pytest.mark.parametrize(
    ("table", "said"),
    [("one,two\nx,y\n", "no columns a and b"), ("a,b\nmissing.html,a.html\n", "missing.html")],
)
def test_a_bad_table(
    table: str, said: str, saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (saved / "pairs.csv").write_text(table)
    options = ["--pairs", str(saved / "pairs.csv"), "--root", str(saved)]
    assert run(["changes", *options]) == ExitCode.USAGE
    assert said in capsys.readouterr().err


def test_a_folder_for_each_document(saved: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (saved / "pairs.csv").write_text(f"document,a,b\n{saved.name},a.html,b.html\n")
    options = ["--pairs", str(saved / "pairs.csv"), "--root", str(saved.parent)]
    assert run(["changes", *options]) == ExitCode.DONE
    assert "a.html -> b.html" in capsys.readouterr().out


def test_a_page_that_is_not_there(tmp_path: Path) -> None:
    make_if_missing(tmp_path / "r")
    assert run(["changes", URL, "--repo", str(tmp_path / "r")]) == ExitCode.NOT_FOUND


def test_pictures_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    edited = (TEXT[0], TEXT[1].replace("bridge", "harbour"), *TEXT[2:])
    for name, pixels in (("a", drawn()), ("b", drawn(edited)), ("c", drawn(top=3))):
        (tmp_path / f"{name}.png").write_bytes(encoded(pixels))
    (tmp_path / "pairs.csv").write_text("a,b\na.png,b.png\na.png,c.png\n")
    options = ["--pairs", str(tmp_path / "pairs.csv"), "--root", str(tmp_path), "--jsonl"]
    assert run(["changes", *options]) == ExitCode.DONE
    edit, shift = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert edit["score"] > shift["score"] == 0
    assert edit["regions"][0]["place"] == "content"
    out = tmp_path / "out.png"
    pair = [str(tmp_path / "a.png"), str(tmp_path / "b.png")]
    assert run(["changes", "--pair", *pair, "--picture", str(out)]) == ExitCode.DONE
    assert "by the pictures alone" in capsys.readouterr().out
    assert out.is_file()


def test_a_file_that_is_no_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.png"
    file.write_text("text")
    assert run(["changes", "--pair", str(file), str(file)]) == ExitCode.USAGE
    assert "is no PNG or JPEG picture" in capsys.readouterr().err
