"""The asynchronous forms of webgeist's functions, for programs that have an event loop."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.turning import paginate
from webgeist.capture.take import capture, capture_all
from webgeist.repository import replaying
from webgeist.settings import load_settings

if TYPE_CHECKING:
    from webgeist.repository.replaying import Replayed
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

__all__ = ["capture", "capture_all", "paginate", "replay"]


async def replay(
    repository: Repository, capture_id: str, *, settings: Settings | None = None
) -> Replayed:
    """Render a stored capture again, from the archive alone. See `webgeist.replay`."""
    if settings is None:
        folder = repository.path
        settings = load_settings(environ=os.environ, flags={}, folder=folder).settings
    return await replaying.replay(repository, capture_id, settings)
