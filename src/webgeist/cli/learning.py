"""webgeist train TYPE: a block type is learned from labelled pages, and told how well."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.analyses.blocks.rules.compiler import Compiled
    from webgeist.analyses.blocks.training import Examples, Quality
    from webgeist.cli.session import Session


@dataclass(frozen=True)
class Wanted:
    """What is asked for on the command line."""

    type: str
    labels: Path
    model: str
    out: Path | None
    picture: Path | None


@dataclass(frozen=True)
class Learned:
    """Where the model is, how good it is, and what it looks like where it is one tree."""

    place: Path
    card: dict[str, Any]
    text: str


def learn_type(session: Session, wanted: Wanted, *, families: bool) -> Learned:
    """Learns the type, writes the model, and the picture where one is wanted."""
    from webgeist.analyses.blocks import training
    from webgeist.analyses.blocks.blocktype import MODEL, program_of
    from webgeist.analyses.blocks.picture import draw
    from webgeist.repository.files import write_atomically

    folder, name, program = program_of(wanted.type)
    rows, counts = _examples(session, wanted, program)
    learned = training.learn(rows, name, program.digest, wanted.model)
    card = {"kind": wanted.model, **counts, **_quality(rows, wanted.model, families=families)}
    place = wanted.out or Path(folder) / MODEL
    text = replace(learned, card=card).to_json().encode()
    write_atomically(place, lambda target: target.write(text))
    if wanted.picture is not None:
        drawing = draw(learned).encode()
        write_atomically(wanted.picture, lambda target: target.write(drawing))
    return Learned(place, card, learned.text() if len(learned.trees) == 1 else "")


def _examples(
    session: Session, wanted: Wanted, program: Compiled
) -> tuple[Examples, dict[str, int]]:
    """The rows of all labelled pages, and how many there are of what."""
    from webgeist import blocking
    from webgeist.analyses.blocks.blocktype import words_of
    from webgeist.analyses.blocks.examples import examples
    from webgeist.analyses.blocks.labels import read_labels
    from webgeist.cli import paging
    from webgeist.cli.repo import HERE

    pages = read_labels(wanted.labels)
    files = [wanted.labels.parent / page.target for page in pages]
    asked = [paging.Wanted(str(file), page.url) for file, page in zip(files, pages, strict=True)]
    settings = session.load_settings({}).settings
    taken = blocking.iterate(paging.Looking(settings, HERE).captures(asked))
    rows, lost = examples(
        program,
        (
            (page, capture, file.read_bytes())
            for page, file, (_, capture, _) in zip(pages, files, taken, strict=True)
            if capture is not None
        ),
        words_of(wanted.type),
    )
    return rows, {
        "pages": len(pages),
        "sites": len(set(rows.site.tolist())),
        "rows": len(rows.wanted),
        "labels on no node of interest": lost,
    }


def _quality(rows: Examples, model: str, *, families: bool) -> dict[str, Any]:
    from webgeist.analyses.blocks import training
    from webgeist.analyses.blocks.classify import THRESHOLD

    scores = training.left_out(rows, model)
    told: dict[str, Any] = {
        "how": "cross-validation by registered domain, 95% intervals by drawing sites",
        **_told(training.quality(rows.wanted, scores >= THRESHOLD, rows.site)),
    }
    if families:
        removed = training.contributions(rows, model, training.families(rows.names))
        told["without"] = {each: _told(found) for each, found in removed.items()}
    return told


def _told(found: Quality) -> dict[str, tuple[float, float, float]]:
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1}
