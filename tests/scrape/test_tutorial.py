"""docs/scraping.md from the top to the end, as a reader would do it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from webgeist.cli.run import run
from webgeist.samples.server import serve

if TYPE_CHECKING:
    import pytest

ROOT = Path(__file__).parent.parent.parent
_FENCE = re.compile(r"^```(bash|python)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def test_the_tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WEBGEIST_GATE_ALLOW_PRIVATE", "true")
    names: dict[str, Any] = {}
    with serve() as server:
        for kind, code in _FENCE.findall((ROOT / "docs" / "scraping.md").read_text("utf-8")):
            local = code.replace(":8000", f":{server.port}")
            if kind == "python":
                exec(compile(local, "scraping.md", "exec"), names)
            elif "samples serve" not in code:
                for line in local.splitlines():
                    assert run(shlex.split(line)[1:]) == 0
    assert names["broken"] == 40
    assert len(names["rows"]) == 36
    assert names["resumed"] == 60
    assert names["loads"] == 8
    assert names["counts"].rows == 1
    assert (tmp_path / "rows" / "foundations.csv").is_file()
    assert len(names["relation"]) == len(names["again"]) == 15
