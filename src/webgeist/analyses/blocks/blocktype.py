"""A block type is a folder: `rules.beryl`, words of its own in `gazetteers/KIND.txt`,
and `model.json` once trained.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from webgeist.analyses.blocks.annotators.annotate import lexicon
from webgeist.analyses.blocks.annotators.words import Lexicon, read_gazetteer
from webgeist.analyses.blocks.model import Model, read_model
from webgeist.analyses.blocks.rules.compiler import Source, compile_rules
from webgeist.analyses.blocks.shipped import library
from webgeist.errors import DamagedError, NotFoundError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

    from webgeist.analyses.blocks.rules.compiler import Compiled

RULES, MODEL, GAZETTEERS = "rules.beryl", "model.json", "gazetteers"


@dataclass(frozen=True, eq=False)
class BlockType:
    """`program` makes the features, `model` (once trained) decides. The name is the namespace of
    the features.
    """

    name: str
    program: Compiled
    model: Model | None
    words: Lexicon | None = None  # all gazetteers, where the type has some of its own

    def trained(self) -> Model:
        if self.model is None:
            raise NotFoundError(
                f"the block type {self.name} has no model", remedy=f"webgeist train {self.name}"
            )
        return self.model


def block_types() -> list[str]:
    """The names of those that come with webgeist."""
    folder = files(__package__) / "types"
    return sorted(each.name for each in folder.iterdir() if (each / RULES).is_file())


def program_of(name: str) -> tuple[str, str, Compiled]:
    """The folder of a block type, its name and its rules, whether there is a model or not."""
    folder = _folder(name)
    return str(folder), _name(folder, name), _compiled(folder, name)


@lru_cache(maxsize=32)
def block_type(name: str) -> BlockType:
    """One that comes with webgeist, or that of a folder. DamagedError where its model was made from
    other rules.
    """
    folder = _folder(name)
    program = _compiled(folder, name)
    file = folder / MODEL
    words = _words(folder)
    if not file.is_file():
        return BlockType(_name(folder, name), program, None, words)
    model = read_model(file.read_text("utf-8"), str(file))
    if model.rules != program.digest:
        raise DamagedError(f"{file} was made from other rules", remedy=f"webgeist train {name}")
    return BlockType(_name(folder, name), program, model, words)


def words_of(name: str) -> Lexicon | None:
    """The gazetteers that come with webgeist and those of a block type; None where it has none."""
    return _words(_folder(name))


def _words(folder: Traversable) -> Lexicon | None:
    own = folder / GAZETTEERS
    if not own.is_dir():
        return None
    lists = [
        read_gazetteer(file.name[:-4], file.read_text("utf-8"), str(file))
        for file in sorted(own.iterdir(), key=lambda each: each.name)
        if file.name.endswith(".txt")
    ]
    return Lexicon([*lexicon().gazetteers, *lists])


def _folder(name: str) -> Traversable:
    if name in block_types():
        return files(__package__) / "types" / name
    path = Path(name)
    if not (path / RULES).is_file():
        raise NotFoundError(
            f"there is no block type {name}",
            remedy=f"one of {', '.join(block_types())}, or a folder with a {RULES}",
        )
    return path.resolve()


def _name(folder: Traversable, name: str) -> str:
    return name if name in block_types() else folder.name


def _compiled(folder: Traversable, name: str) -> Compiled:
    rules = folder / RULES
    source = Source(f"{name}/{RULES}", rules.read_text("utf-8"))
    return compile_rules((*library(), source), _name(folder, name))
