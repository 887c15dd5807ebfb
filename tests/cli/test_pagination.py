"""webgeist pagination, on saved files in a real browser."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

LIST = """<!doctype html><title>List</title><body><h1>Things</h1><p>Many words about many things.</p>
<table><tr><td><a href="/thing/1">The first thing of all</a></td></tr></table>
<div class="pager"><a href="?page=1">« Zurück</a> <a href="?page=1">1</a> <b>2</b> <a href="?page=3">3</a>
<a href="?page=4">4</a> <table><tr><td><a class="n" href="?page=3">Weiter »</a></td></tr></table></div></body>"""
PLAIN = "<!doctype html><title>Text</title><body><p>Nothing to see <a href='/about'>About us</a></p></body>"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "import webgeist.cli; webgeist.cli.main()", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    folder: Path = tmp_path_factory.mktemp("saved")
    (folder / "list.html").write_text(LIST)
    (folder / "plain.html").write_text(PLAIN)
    lines = [
        {"target": str(folder / "list.html"), "url": "https://example.org/list?page=2"},
        {"target": str(folder / "missing.html")},
        {"target": str(folder / "plain.html"), "url": "https://example.org/text"},
    ]
    (folder / "targets.jsonl").write_text("\n".join(json.dumps(line) for line in lines))
    done = run("pagination", "--from", str(folder / "targets.jsonl"), "--jsonl")
    assert done.returncode == 3, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_line_for_each_target_in_order(answers: list[dict[str, Any]]) -> None:
    assert [answer["target"].rpartition("/")[2] for answer in answers] == [
        "list.html",
        "missing.html",
        "plain.html",
    ]


def test_links_have_labels_and_reasons(answers: list[dict[str, Any]]) -> None:
    links = answers[0]["links"]
    assert set(links[0]) == {"xpath", "href", "text", "label", "immediate", "score", "reason"}
    by_text = {link["text"]: link for link in links}
    assert by_text["Weiter »"]["label"] == "next"
    assert by_text["« Zurück"]["label"] == "previous"
    assert [by_text[text]["label"] for text in ("1", "3", "4")] == ["page"] * 3
    assert {text for text, link in by_text.items() if link["immediate"]} == {"3", "Weiter »"}
    assert all(link["reason"] for link in links)
    assert "The first thing of all" not in by_text


def test_xpaths_are_those_of_the_file(answers: list[dict[str, Any]]) -> None:
    (following,) = (link for link in answers[0]["links"] if link["label"] == "next")
    assert following["xpath"] == "/html/body/div/table/tr/td/a"
    (third,) = (link for link in answers[0]["links"] if link["text"] == "3")
    assert third["xpath"] == "/html/body/div/a[3]"


def test_a_target_that_fails_is_told_and_the_others_go_on(answers: list[dict[str, Any]]) -> None:
    assert set(answers[1]) == {"target", "error"}
    assert "there is no file" in answers[1]["error"]


def test_a_page_without_a_pager_is_clean(answers: list[dict[str, Any]]) -> None:
    assert answers[2]["links"] == []
    assert answers[2]["infinite_scroll"] is None
    assert {"capture", "facts", "rules", "classify"} <= set(answers[2]["ms"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["pagination"], "nothing to look at"),
        (["pagination", "a.html", "b.html", "--url", "https://example.org"], "--url goes with one"),
        (["pagination", "--from", "/no/such.jsonl"], "cannot read"),
    ],
)
def test_wrong_use(arguments: list[str], says: str) -> None:
    done = run(*arguments)
    assert done.returncode == 2
    assert says in done.stderr


def test_a_wrong_line_is_told_before_anything_is_done(tmp_path: Path) -> None:
    (tmp_path / "t.jsonl").write_text('{"target": "a.html"}\n{"url": 1}\n')
    done = run("pagination", "--from", str(tmp_path / "t.jsonl"))
    assert done.returncode == 2
    assert 't.jsonl:2 has no "target"' in done.stderr
