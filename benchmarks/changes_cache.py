"""What was seen of pages, kept for the next run: WEBGEIST_CHANGES_CACHE names a folder for it.

What is kept is only as good as the code that made it: a map of cells by older code is a row off,
and nobody sees why. So it lies in a folder that is named after the source of that code.
"""

from __future__ import annotations

import os
import pickle
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import ModuleType


class Cache:
    """Values by name, made by some modules; empty, and stays so, without a folder."""

    def __init__(self, kind: str, made_by: Iterable[ModuleType]) -> None:
        folder = os.environ.get("WEBGEIST_CHANGES_CACHE")
        self.folder = Path(folder) / f"{kind}-{_source(made_by)}" if folder else None

    def get(self, name: str) -> Any:
        """KeyError where it was not kept; None is a value."""
        if self.folder is None or not (self.folder / name).is_file():
            raise KeyError(name)
        return pickle.loads((self.folder / name).read_bytes())

    def put(self, name: str, value: object) -> None:
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(pickle.dumps(value))


def _source(modules: Iterable[ModuleType]) -> str:
    """A number for the text of the modules."""
    files = sorted(str(module.__file__) for module in modules)
    return sha256(b"\0".join(Path(file).read_bytes() for file in files)).hexdigest()[:12]
