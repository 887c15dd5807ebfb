"""The settings choose the recorder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.forms import make_recorder
from webgeist.capture.recorder.proxy import RecordingProxy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import SettingsMaker


async def test_each_form(make_settings: SettingsMaker, tmp_path: Path) -> None:
    folder = tmp_path / "authority"
    browser = make_recorder(make_settings(recorder={"form": "browser"}), folder)
    assert isinstance(browser, BrowserRecorder)
    assert not folder.exists()
    proxy = make_recorder(make_settings(), folder)
    assert isinstance(proxy, RecordingProxy)
    assert folder.exists()
    for recorder in (browser, proxy):
        await recorder.close()
