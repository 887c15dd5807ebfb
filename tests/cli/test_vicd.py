"""webgeist train vicd: what it refuses. That it learns is tested where PyTorch is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from tests.analyses.changes.drawn import TEXT, drawn, encoded
from tests.conftest import ARGUMENTS

from webgeist.cli.exits import ExitCode
from webgeist.cli.run import run

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pairs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four documents, each with an important and an unimportant pair of pictures."""
    monkeypatch.setenv("WEBGEIST_BROWSER_ARGUMENTS", ARGUMENTS)
    lines = ["document,a,b,important"]
    for number in range(4):
        folder = tmp_path / f"d{number}"
        folder.mkdir()
        pages = (drawn(TEXT[number % 2 :]), drawn(TEXT[:2]), drawn(TEXT[number % 2 :], menu=("A",)))
        for name, page in zip("abc", pages, strict=True):
            (folder / f"{name}.png").write_bytes(encoded(page))
        lines += [f"d{number},a.png,b.png,1", f"d{number},a.png,c.png,0"]
    (tmp_path / "pairs.csv").write_text("\n".join(lines))
    return tmp_path


def test_what_makes_no_sense(pairs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["train", "vicd"]) == ExitCode.USAGE
    assert "needs --pairs" in capsys.readouterr().err
    options = ["--pairs", str(pairs / "pairs.csv"), "--root", str(pairs)]
    assert run(["train", "vicd", "--variant", "4_eu", *options]) == ExitCode.USAGE
    assert "2_eu, 2_cos, 3_eu, 3_cos" in capsys.readouterr().err
    assert run(["train", "search_form"]) == ExitCode.USAGE
    assert "needs --labels" in capsys.readouterr().err


@pytest.mark.slow
def test_a_variant_is_learned_from_pictures(
    pairs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = pairs / "vicd.npz"
    options = ["--pairs", str(pairs / "pairs.csv"), "--root", str(pairs), "--out", str(out)]
    command = ["train", "vicd", "--variant", "2_cos", *options, "--rounds", "1", "--json"]
    assert run(command) == ExitCode.DONE
    card = json.loads(capsys.readouterr().out)
    assert (card["pairs"], card["documents left out"]) == (6, 1)
    assert out.is_file()
