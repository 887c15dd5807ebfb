"""The tutorial of docs/blocks.md, done as it is written there."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "blocks.md").read_text("utf-8")
TUTORIAL = TEXT.partition("## A block type of your own")[2].partition("## Tables")[0]


def block(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.DOTALL)
    return str(found)


def page(price: str) -> str:
    links = (
        f"<a href=/about>About our 12 shops</a> <a href=/buy>{price}</a> <a href=/terms>Terms</a>"
    )
    return f"<!doctype html><title>t</title><body><h1>A shop</h1>{links}</body>"


def prepare(folder: Path) -> None:
    (folder / "price" / "gazetteers").mkdir(parents=True)
    (folder / "price" / "rules.beryl").write_text(block("beryl"), "utf-8")
    (folder / "price" / "gazetteers" / "CURRENCY.txt").write_text(block("text"), "utf-8")
    lines = []
    for number in range(12):
        (folder / f"{number}.html").write_text(page(f"{number + 3} dollars only"), "utf-8")
        url = f"https://shop{number}.example/"
        nodes = ["/html/body/a[2]"]
        lines.append({"target": f"{number}.html", "url": url, "nodes": nodes, "ignore": []})
    text = "\n".join(json.dumps(line) for line in lines)
    (folder / "labels.jsonl").write_text(text, "utf-8")
    (folder / "saved.html").write_text(page("Nine euros"), "utf-8")


def test_every_step_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    prepare(tmp_path)
    train, use = [shlex.split(line)[1:] for line in block("sh").splitlines()]
    assert run(train) == ExitCode.DONE
    assert "annotated_by<CURRENCY>" in capsys.readouterr().out
    assert (tmp_path / "tree.svg").read_text("utf-8").startswith("<svg")
    assert run(use) == ExitCode.DONE
    (found,) = json.loads(capsys.readouterr().out)["blocks"]
    assert found["type"] == "price"
    assert found["xpath"] == "/html/body/a[2]"
