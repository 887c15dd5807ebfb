"""Which recorder the settings want."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.proxy import RecordingProxy

if TYPE_CHECKING:
    from pathlib import Path

    from webgeist.capture.exchange import Recorder
    from webgeist.settings import Settings


def make_recorder(settings: Settings, certificates: Path) -> Recorder:
    """The recorder of `recorder.form`. `certificates` is the folder of the proxy's authority."""
    if settings.recorder.form == "browser":
        return BrowserRecorder(settings)
    return RecordingProxy(settings, Authority.of_folder(certificates))
