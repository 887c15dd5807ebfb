"""Feature sets as a stranger would install them: good ones, and every kind of bad one."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

CODE = """
import os, signal, time
import numpy as np
import pyarrow as pa
from webgeist.analyses.plugins import FeatureSet

def corners(page, blocks, picture):
    print("a plugin may print")
    radius = page.values("border-top-left-radius", lambda text: float(text.split("px")[0]), 0.0)
    return {"radius": radius[blocks.node], "dark": picture.mean() < 128 + np.zeros(len(blocks))}

def raises(page, blocks, picture):
    raise RuntimeError("no such luck")

def hangs(page, blocks, picture):
    while True:
        time.sleep(1)

def dies(page, blocks, picture):
    os.kill(os.getpid(), signal.SIGKILL)

GOOD = FeatureSet("corners", "1", {"radius": pa.float32(), "dark": pa.bool_()}, corners)
RAISES = FeatureSet("raises", "1", {"a": pa.int32()}, raises)
HANGS = FeatureSet("hangs", "1", {"a": pa.int32()}, hangs)
DIES = FeatureSet("dies", "1", {"a": pa.int32()}, dies)
SHORT = FeatureSet("short", "1", {"a": pa.int32()}, lambda page, blocks, picture: {"a": [1]})
OTHER = FeatureSet("other", "1", {"a": pa.int32()}, lambda page, blocks, picture: {"b": blocks.node})
BAD_NAME = FeatureSet("Bad Name", "1", {"a": pa.int32()}, raises)
NO_SET = 7
"""


def install(folder: Path, entries: dict[str, str]) -> None:
    """Put a package into a folder: who has it in sys.path has the plugins."""
    info = folder / "strange-1.0.dist-info"
    info.mkdir(parents=True)
    (folder / "strange.py").write_text(CODE)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strange\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in entries.items()]
    (info / "entry_points.txt").write_text("\n".join(["[webgeist.features]", *lines, ""]))
