"""Cameras for benchmarks: the same settings, with each form of recorder or with none."""

from __future__ import annotations

import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from benchmarks import pages
from webgeist.capture.camera import Camera
from webgeist.capture.gate import Gate
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.proxy import RecordingProxy
from webgeist.settings import Settings

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from benchmarks.trust import Trust
    from webgeist.capture.exchange import Recorder

Sections = dict[str, dict[str, object]]

NONE, PROXY, BROWSER = "none", "proxy", "browser"
RECORDERS = (PROXY, BROWSER)

NO_PICTURE: Sections = {"capture": {"screenshot": "none"}}


def settings(sections: Sections | None = None, *, argument: str = "") -> Settings:
    """Chromium's own resolver knows this machine only; the gate lets it through.

    `argument` is one more for Chromium.
    """
    values: Sections = {
        "browser": {"arguments": f"{pages.LOOPBACK_ONLY} {argument}"},
        "gate": {"allow_private": True},
    }
    return Settings.model_validate(values | (sections or {}))


async def only_here(host: str, _: int) -> Sequence[str]:
    """Resolves names of this machine and no other: no request of a page leaves it."""
    if host == "localhost" or host.endswith(".localhost"):
        return ["127.0.0.1"]
    raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")


def gate() -> Gate:
    return Gate(allow_private=True, resolve=only_here)


def recorder(
    form: str, chosen: Settings, folder: Path, tls: ssl.SSLContext | None = None
) -> Recorder:
    """A recorder whose authority lives in `folder`; `tls` says which origins the proxy trusts."""
    if form == BROWSER:
        return BrowserRecorder(chosen, gate=gate())
    return RecordingProxy(chosen, Authority.of_folder(folder / "authority"), gate=gate(), tls=tls)


@asynccontextmanager
async def camera(
    form: str, folder: Path, trust: Trust | None = None, sections: Sections | None = None
) -> AsyncIterator[Camera]:
    """A camera that records in this form, or not at all (`NONE`), under these settings.

    Who sees the origins' certificates must trust them: the proxy, or else Chromium.
    """
    chosen = settings(sections, argument=trust.argument if trust and form != PROXY else "")
    if form == NONE:
        async with Camera(chosen) as bare:
            yield bare
        return
    made = recorder(form, chosen, folder, trust.context if trust else None)
    try:
        async with Camera(chosen, made) as recording:
            yield recording
    finally:
        await made.close()
