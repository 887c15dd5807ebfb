"""Feature sets of others: used where they keep their promises, told where they don't."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.analyses.plugin_package import install

from webgeist.analyses.analysis import Analysis
from webgeist.analyses.plugins import load_plugins
from webgeist.analyses.registry import analyses

if TYPE_CHECKING:
    from pathlib import Path

    from tests.analyses.conftest import Looker


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "plugins"
    path.mkdir()
    monkeypatch.syspath_prepend(str(path))
    monkeypatch.delitem(__import__("sys").modules, "strange", raising=False)
    return path


def test_without_plugins_there_are_none() -> None:
    assert load_plugins() == ([], [])


def test_a_feature_set_is_an_analysis(folder: Path, look: Looker) -> None:
    install(folder, {"corners": "strange:GOOD"})
    known, broken = analyses(None)
    assert not broken
    assert list(known) == [
        *("blocks", "features", "pages", "metrics", "menus", "menu_items", "sites"),
        *("pagination", "block_types", "changes", "features_corners"),
    ]
    corners = known["features_corners"]
    assert isinstance(corners, Analysis)
    rows = corners.rows(
        look("<p style='border-radius:7px;background:#000;height:500px'></p><p>b</p>")
    )
    assert rows.column_names == ["block", "radius", "dark"]
    assert 7.0 in rows["radius"].to_pylist()


def test_broken_ones_are_told_and_the_others_used(folder: Path) -> None:
    install(
        folder,
        {
            "a_missing": "no_such_module:X",
            "b_attribute": "strange:NOPE",
            "c_type": "strange:NO_SET",
            "d_name": "strange:BAD_NAME",
            "e_good": "strange:GOOD",
            "f_twice": "strange:GOOD",
        },
    )
    found, broken = load_plugins()
    assert [analysis.name for analysis in found] == ["features_corners"]
    reasons = {each.name: each.reason for each in broken}
    assert reasons["a_missing"].startswith("ModuleNotFoundError")
    assert reasons["b_attribute"].startswith("AttributeError")
    assert reasons["c_type"] == "TypeError: strange:NO_SET is no FeatureSet"
    assert "no name" in reasons["d_name"]
    assert reasons["f_twice"] == "ValueError: there is another corners"


@pytest.mark.parametrize(
    ("name", "reason"),
    [("SHORT", "1 values for"), ("OTHER", "other columns"), ("RAISES", "no such luck")],
)
def test_what_breaks_its_promise_raises(folder: Path, look: Looker, name: str, reason: str) -> None:
    install(folder, {"it": f"strange:{name}"})
    ((analysis,), _) = load_plugins()
    with pytest.raises((ValueError, RuntimeError), match=reason):
        analysis.rows(look("<p>one</p><p>two"))
