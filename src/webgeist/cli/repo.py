"""The option that says which repository a command works on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

RepoOption = Annotated[
    Path,
    typer.Option("--repo", metavar="DIR", file_okay=False, help="The repository."),
]
HERE = Path()
