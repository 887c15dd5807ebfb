"""webgeist menus and webgeist sites, over folders of saved HTML."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest
from tests.analyses.menus.hosts import BASE, portal

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

SPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for url, html in portal(2).items():
        name = url.removeprefix(BASE)
        path = tmp_path / (f"{name}index.html" if name.endswith("/") else f"{name}.html")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html.replace('/help"', '/help.html"'), encoding="utf-8")
    (tmp_path / "picture.png").write_bytes(b"\x89PNG")
    (tmp_path / "notes").write_text("no page")
    (tmp_path / "page").write_text("<!DOCTYPE html><html><body>a page</body></html>")
    return tmp_path


@pytest.mark.parametrize("command", ["menus", "sites"])
def test_the_whole_result_as_json(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = [command, "--folder", str(folder), "--base-url", BASE, "--json"]
    assert run(given) == ExitCode.DONE
    told = json.loads(capsys.readouterr().out)
    assert {site["entry"] for site in told["sites"]} >= {
        f"{BASE}s0/index.html",
        f"{BASE}s1/index.html",
    }
    main = told["menus"][told["sites"][0]["main_menu"]]
    assert [item["text"] for item in main["items"]] == ["S0", "S0 A", "S0 B", "S0 Help"]
    assert f"{BASE}page" in told["unassigned"]
    assert not [url for url in told["unassigned"] if url.endswith(("png", "notes"))]


def test_for_people_there_are_tables(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["menus", "--folder", str(folder)]) == ExitCode.DONE
    assert "S0 · S0 A · S0 B · S0 Help" in capsys.readouterr().out
    assert run(["sites", "--folder", str(folder)]) == ExitCode.DONE
    said = capsys.readouterr()
    assert "http://localhost/s0" in said.out
    assert "share no menu with others" in said.err


@pytest.mark.parametrize("form", ["tree", "json", "xml", "mermaid", "svg", "table"])
def test_maps_in_all_forms(folder: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = ["sites", "--folder", str(folder), "--base-url", BASE, "--map", form, "--site", "0"]
    assert run(given) == ExitCode.DONE
    text = capsys.readouterr().out
    assert "S0 A" in text or f"{BASE}s0/a/" in text
    assert "s1" not in text
    if form == "xml":
        places = [each.text for each in ET.fromstring(text).iter(f"{SPACE}loc")]
        assert len(places) == 20
    if form == "svg":
        ET.fromstring(text)
    if form == "json":
        assert json.loads(text)[0]["pages"] == 20


def test_a_map_can_be_written_to_a_file(folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "map.svg"
    assert run(["sites", "--folder", str(folder), "--map", "svg", "--out", str(file)]) == 0
    assert file.read_text("utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["menus", "--folder", "no-such-folder"], ExitCode.NOT_FOUND),
        (["menus", "--base-url", BASE], ExitCode.USAGE),
        (["menus", "--folder", ".", "--base-url", "nowhere"], ExitCode.USAGE),
        (["menus", "--folder", ".", "--method", "guess"], ExitCode.USAGE),
        (["sites", "--folder", ".", "--out", "x"], ExitCode.USAGE),
        (["sites", "--folder", ".", "--map", "tree", "--site", "9"], ExitCode.NOT_FOUND),
    ],
)
def test_mistakes_are_answered(
    given: list[str], code: ExitCode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(given) == code


def test_names_of_files_become_addresses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a b#c?.html").write_bytes(b"<html>")
    assert (
        run(["sites", "--folder", str(tmp_path), "--base-url", "http://x.localhost/y", "--json"])
        == 0
    )
    assert json.loads(capsys.readouterr().out)["unassigned"] == [
        "http://x.localhost/y/a%20b%23c%3F.html"
    ]


@pytest.mark.parametrize("command", ["menus", "sites"])
def test_saved_pages_have_no_rendered_blocks(
    folder: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([command, "--folder", str(folder), "--rendered"]) == ExitCode.USAGE
    assert "--repo" in capsys.readouterr().err
