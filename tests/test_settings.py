"""Settings: who beats whom, and what is said about a wrong one."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from webgeist.errors import SettingsError
from webgeist.settings import KEYS, OTHER_VARIABLES, VARIABLES, Settings, load_settings
from webgeist.settings.keys import description

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "webgeist.toml"


def _error(file: Path | None = None, environ: dict[str, str] | None = None) -> SettingsError:
    with pytest.raises(SettingsError) as caught:
        load_settings(file=file, environ=environ or {}, flags={})
    assert caught.value.exit_code == 4
    return caught.value


def test_defaults(tmp_path: Path) -> None:
    loaded = load_settings(environ={}, flags={}, folder=tmp_path)
    assert loaded.settings == Settings()
    assert loaded.origins == dict.fromkeys(KEYS, "default")


def test_each_source_beats_the_one_below_it(file: Path) -> None:
    file.write_text(
        '[capture]\nviewport = "tablet"\njpeg_quality = 50\nscroll = false\n[limits]\nnodes = 7\n'
    )
    environ = {"WEBGEIST_CAPTURE_VIEWPORT": "laptop", "WEBGEIST_CAPTURE_JPEG_QUALITY": "60"}
    flags = {"capture.viewport": "mobile", "capture.scroll": None}
    loaded = load_settings(file=file, environ=environ, flags=flags)
    capture = loaded.settings.capture
    assert (capture.viewport, capture.jpeg_quality, capture.scroll) == ("mobile", 60, False)
    assert loaded.settings.limits.nodes == 7
    assert loaded.origins["capture.viewport"] == "flag --viewport"
    assert loaded.origins["capture.jpeg_quality"] == "WEBGEIST_CAPTURE_JPEG_QUALITY"
    assert loaded.origins["capture.scroll"] == f"file {file}"
    assert loaded.origins["capture.user_agent"] == "default"


def test_flag_with_two_words_has_a_hyphen() -> None:
    loaded = load_settings(environ={}, flags={"capture.jpeg_quality": 9})
    assert loaded.origins["capture.jpeg_quality"] == "flag --jpeg-quality"


def test_unknown_flag_is_a_mistake_of_the_programmer() -> None:
    with pytest.raises(KeyError, match=r"capture\.nope"):
        load_settings(environ={}, flags={"capture.nope": 1})


def test_file_in_the_current_folder_is_read(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text("[limits]\nnodes = 8\n")
    monkeypatch.chdir(file.parent)
    loaded = load_settings(environ={}, flags={})
    assert (loaded.settings.limits.nodes, loaded.origins["limits.nodes"]) == (
        8,
        "file webgeist.toml",
    )


def test_folder_takes_the_place_of_the_current_one(file: Path) -> None:
    file.write_text("[limits]\nnodes = 9\n")
    assert load_settings(environ={}, flags={}, folder=file.parent).settings.limits.nodes == 9


def test_byte_order_mark_is_no_harm(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf[limits]\nnodes = 5\n")
    assert load_settings(file=file, environ={}, flags={}).settings.limits.nodes == 5


@pytest.mark.parametrize(
    ("text", "said", "remedy"),
    [
        ("[capture]\nviewprot = 1\n", "unknown key capture.viewprot", "capture.viewport"),
        ("[capture]\nnodes = 1\n", "unknown key capture.nodes", "limits.nodes"),
        ("[capture]\nqqqqq = 1\n", "unknown key capture.qqqqq", "config show"),
        ("[captur]\nviewport = 1\n", "unknown section [captur]", "capture?"),
        ("viewport = 'mobile'\n", "viewport in no section", "capture.viewport"),
        ("capture = 1\n", "capture is a section", "[capture]"),
        ("[limits]\nnodes = 'many'\n", "limits.nodes cannot be 'many'", "Nodes of one page"),
        ("[limits]\nnodes = '7'\n", "limits.nodes cannot be '7'", "Nodes of one page"),
        ("[limits]\nnodes = 0\n", "greater than 0", "Nodes of one page"),
        ("[limits]\nsettle_seconds = inf\n", "finite number", "a page at rest"),
        ("[limits]\nsettle_seconds = nan\n", "limits.settle_seconds", "a page at rest"),
        ("[capture]\nscroll = 1\n", "capture.scroll cannot be 1", "Scroll pages"),
        ("[capture]\nscreenshot = 'gif'\n", "'jpeg', 'png' or 'none'", "full-page picture"),
        ("[capture]\nviewport = 'huge'\n", "capture.viewport cannot be 'huge'", "WIDTHxHEIGHT"),
        ("[capture]\nviewport =\n", "line 2", "correct"),
        ("[capture]\nscroll = true\nscroll = true\n", "line 3", "correct"),
        ("[limits]\nnodes = " + "9" * 5000, "not valid TOML", "correct"),
        ("x = " + "[" * 5000, "not valid TOML", "correct"),
    ],
)
def test_wrong_file_is_refused_with_its_place(
    file: Path, text: str, said: str, remedy: str
) -> None:
    file.write_text(text)
    error = _error(file)
    assert str(file) in error.message
    assert said in error.message
    assert remedy in (error.remedy or "")


def test_file_that_is_not_utf8_names_the_line(file: Path) -> None:
    file.write_bytes(b"[capture]\n\nuser_agent = '\xff'\n")
    assert "line 3" in _error(file).message


def test_file_given_must_exist(file: Path) -> None:
    assert f"cannot read settings from {file}" in _error(file).message


def test_folder_is_no_file(tmp_path: Path) -> None:
    assert "is not a file" in _error(tmp_path).message


def test_endless_file_is_not_read_to_its_end(file: Path) -> None:
    file.write_bytes(b"#" * 1_000_001)
    assert "too large" in _error(file).message


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(file: Path) -> None:
    file.touch(mode=0)
    assert "Permission denied" in _error(file).message


def test_variables_are_read_as_their_type() -> None:
    environ = {
        "WEBGEIST_CAPTURE_SCROLL": "false",
        "WEBGEIST_LIMITS_NODES": "12",
        "WEBGEIST_LIMITS_SETTLE_SECONDS": "0.5",
        "WEBGEIST_BROWSER_EXECUTABLE": "",
    }
    settings = load_settings(environ=environ, flags={}).settings
    assert settings.capture.scroll is False
    assert (settings.limits.nodes, settings.limits.settle_seconds) == (12, 0.5)
    assert settings.browser.executable is None


@pytest.mark.parametrize(
    ("variable", "nearest"),
    [
        ("WEBGEIST_CAPTURE_VIEWPROT", "WEBGEIST_CAPTURE_VIEWPORT"),
        ("WEBGEIST_CAPTUER_VIEWPORT", "WEBGEIST_CAPTURE_VIEWPORT"),
        ("WEBGEIST_LIMITS_NODE", "WEBGEIST_LIMITS_NODES"),
        ("WEBGEIST_SKIP_BROWSER_DOWNLOADS", "WEBGEIST_SKIP_BROWSER_DOWNLOAD"),
    ],
)
def test_misspelt_variable_is_refused(variable: str, nearest: str) -> None:
    error = _error(environ={variable: "x"})
    assert variable in error.message
    assert error.remedy == f"did you mean {nearest}?"


def test_wrong_variable_is_named() -> None:
    error = _error(environ={"WEBGEIST_LIMITS_NODES": "many"})
    assert error.message.startswith("WEBGEIST_LIMITS_NODES: limits.nodes cannot be 'many'")


def test_variables_of_others_are_left_alone() -> None:
    environ = {
        "WEBGEIST_SERVICE_HOST": "10.0.0.1",
        "HOME": "/",
        **dict.fromkeys(OTHER_VARIABLES, "1"),
    }
    assert load_settings(environ=environ, flags={}).settings == Settings()


def test_each_setting_has_one_variable_and_a_description() -> None:
    assert sorted(VARIABLES.values()) == sorted(KEYS)
    assert all(description(key).endswith(".") for key in KEYS)


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="frozen"):
        Settings().capture.scroll = False  # type: ignore[misc]
