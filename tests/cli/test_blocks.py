"""webgeist blocks and webgeist train, on saved files in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path

SEARCH = """<form action=/search role=search><input type=search name=q placeholder=Search>
<button>Search</button></form>"""
LOGIN = """<form action=/login method=post><input name=user><input type=password name=secret>
<button>Log in</button></form>"""


def page(body: str) -> str:
    return f"<!doctype html><title>t</title><body><h1>A site</h1>{body}<p>Some words.</p></body>"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "both.html").write_text(page(SEARCH + LOGIN))
    (tmp_path / "none.html").write_text(page("<p>Nothing to fill in.</p>"))
    return tmp_path


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.usefixtures("folder")
def test_search_forms_are_told_from_others(capsys: pytest.CaptureFixture[str]) -> None:
    targets = ("both.html", "none.html")
    assert run(["blocks", "search_form", *targets, "--jsonl"]) == ExitCode.DONE
    both, none = lines(capsys)
    (found,) = both["blocks"]
    assert found["xpath"].endswith("form[1]")
    assert found["score"] > 0.5
    assert found["reason"]
    assert none["blocks"] == []


@pytest.mark.usefixtures("folder")
def test_what_fails_is_told_and_the_rest_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    targets = ("missing.html", "both.html")
    assert run(["blocks", "search_form", *targets, "--jsonl"]) == ExitCode.FAILED_PAGES
    missing, both = lines(capsys)
    assert missing["error"]
    assert len(both["blocks"]) == 1


@pytest.mark.usefixtures("folder")
def test_unknown_types_and_no_targets_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["blocks", "no_such_type", "both.html"]) == ExitCode.NOT_FOUND
    assert "no_such_type" in capsys.readouterr().err
    assert run(["blocks", "search_form"]) == ExitCode.USAGE


def test_a_type_is_learned_from_labels_and_then_used(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = []
    for number in range(12):
        name = f"page{number}.html"
        forms = SEARCH + LOGIN if number % 2 else LOGIN + SEARCH
        (folder / name).write_text(page(forms))
        xpath = f"/html/body/form[{1 if number % 2 else 2}]"
        url = f"https://site{number}.example/"
        labels.append({"target": name, "url": url, "nodes": [xpath], "ignore": []})
    (folder / "labels.jsonl").write_text("\n".join(json.dumps(each) for each in labels))
    arguments = ["--labels", "labels.jsonl", "--out", "model.json", "--json"]
    assert run(["train", "search_form", *arguments]) == ExitCode.DONE
    said = json.loads(capsys.readouterr().out)
    assert said["pages"] == 12
    assert said["sites"] == 12
    assert json.loads((folder / "model.json").read_text())["block_type"] == "search_form"


@pytest.mark.usefixtures("folder")
def test_login_forms_are_told_from_others(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["blocks", "login_form", "both.html", "none.html", "--jsonl"]) == ExitCode.DONE
    both, none = lines(capsys)
    (found,) = both["blocks"]
    assert found["xpath"].endswith("form[2]")
    assert none["blocks"] == []
