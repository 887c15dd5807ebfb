"""All settings, their defaults and limits, and where each value came from.

flag > WEBGEIST_<SECTION>_<KEY> > webgeist.toml > default. An unknown key is an error that names
the nearest known one.
"""

from webgeist.settings.file import FILE_NAME
from webgeist.settings.keys import KEYS, OTHER_VARIABLES, VARIABLES
from webgeist.settings.load import LoadedSettings, load_settings
from webgeist.settings.models import (
    BrowserSettings,
    CaptureSettings,
    CrawlSettings,
    LimitSettings,
    Settings,
)

__all__ = [
    "FILE_NAME",
    "KEYS",
    "OTHER_VARIABLES",
    "VARIABLES",
    "BrowserSettings",
    "CaptureSettings",
    "CrawlSettings",
    "LimitSettings",
    "LoadedSettings",
    "Settings",
    "load_settings",
]
