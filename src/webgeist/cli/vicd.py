"""webgeist train vicd: the paper's network, learned from pairs of pages or pictures."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from webgeist.analyses.changes.vicd.pictures import Example, Grey
    from webgeist.capture.camera import Camera
    from webgeist.cli.comparing import Row
    from webgeist.cli.session import Session
    from webgeist.settings import Settings

_HELD_OUT = 4  # one of so many documents is kept to test with
_SEED = 0


@dataclass(frozen=True)
class Wanted:
    """What is asked for on the command line."""

    pairs: Path
    variant: str
    root: Path
    epochs: int
    out: Path


def train_vicd(session: Session, wanted: Wanted) -> dict[str, Any]:
    """Learns a variant, writes its weights, and says how well it does on documents left out."""
    from webgeist.analyses.changes.vicd.training import Effort, learn
    from webgeist.repository.files import write_atomically

    _check(wanted.variant)
    examples = _examples(session, wanted)
    sites = sorted({each.site for each in examples})
    unseen = set(sites[:: max(_HELD_OUT, 1)]) if len(sites) > 1 else set()
    known = [each for each in examples if each.site not in unseen]
    tell = session.output.say
    made = learn(
        known,
        wanted.variant,
        _SEED,
        Effort(epochs=wanted.epochs),
        lambda epoch, loss: tell(f"round {epoch + 1}: loss {loss:.4f}"),
    )
    write_atomically(wanted.out, made.save)
    rest = [each for each in examples if each.site in unseen]
    return {
        "variant": wanted.variant,
        "pairs": len(known),
        "documents": len(sites) - len(unseen),
        "documents left out": len(unseen),
        "pairs left out": len(rest),
        "auc": _auc(made, rest, wanted.variant),
        "rounds": wanted.epochs,
    }


def _check(variant: str) -> None:
    from importlib.util import find_spec

    from webgeist.analyses.changes.vicd.training import VARIANTS
    from webgeist.errors import UsageError

    if variant not in VARIANTS:
        raise UsageError(f"there is no variant {variant!r}", remedy=f"one of {', '.join(VARIANTS)}")
    if find_spec("torch") is None:
        raise UsageError("training VICD needs PyTorch", remedy="pip install 'webgeist[train]'")


def _auc(made: Any, rest: Sequence[Example], variant: str) -> float | None:
    """How often an important pair is further apart than another; None without both."""
    import numpy as np

    from webgeist.analyses.changes.vicd.training import scores

    truth = np.array([each.important for each in rest])
    if not len(rest) or truth.all() or not truth.any():
        return None
    found = scores(made, rest, variant)
    yes, no = found[truth][:, None], found[~truth][None]
    return round(float((yes > no).mean() + (yes == no).mean() / 2), 4)


def _examples(session: Session, wanted: Wanted) -> list[Example]:
    from webgeist import blocking
    from webgeist.analyses.changes.vicd.pictures import Example
    from webgeist.cli.comparing import read_pairs

    rows = read_pairs(wanted.pairs, wanted.root)
    labels = _labels(wanted.pairs)
    settings = session.load_settings({}).settings
    seen = blocking.run(_pictures(settings, rows))
    return [
        Example(seen[one], seen[other], important, one.parent.name, (str(one), str(other)))
        for (_, _, one, other), important in zip(rows, labels, strict=True)
        if one in seen and other in seen
    ]


def _labels(file: Path) -> list[bool]:
    from webgeist.errors import UsageError

    with file.open(newline="", encoding="utf-8-sig") as lines:
        rows = list(csv.DictReader(lines))
    if not rows or "important" not in rows[0]:
        raise UsageError(f"{file} has no column important", remedy="1 or 0 for each pair")
    return [row["important"] == "1" for row in rows]


async def _pictures(settings: Settings, rows: Sequence[Row]) -> dict[Path, Grey]:
    """What VICD sees of each file; those without a picture are left out."""
    from webgeist.capture.camera import Camera

    seen: dict[Path, Grey] = {}
    async with Camera(settings) as camera:
        for path in sorted({path for row in rows for path in row[2:]}):
            if (grey := await _picture(camera, path, settings)) is not None:
                seen[path] = grey
    return seen


async def _picture(camera: Camera, path: Path, settings: Settings) -> Grey | None:
    from webgeist.analyses.changes.picture_file import is_picture, open_picture
    from webgeist.analyses.changes.vicd.pictures import small
    from webgeist.capture.target import parse_target

    if is_picture(path):
        shot = open_picture(path, settings.limits.pixels)
        return small(shot.pixels(_MOST)[0])
    target = parse_target(str(path), most_bytes=settings.limits.file_bytes)
    taken = await camera.capture(target)
    try:
        return None if taken.screenshot is None else small(taken.screenshot.pixels(_MOST)[0])
    finally:
        taken.close()


_MOST = 4_000_000  # pixels that a picture is read at before it is made small
