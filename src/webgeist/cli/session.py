"""What every command gets from the frame: the global options, the output and the settings."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.output import Output

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from webgeist.settings import LoadedSettings

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout.")]


@dataclass
class Session:
    """One run of the command line. The root command fills it in, the commands read it."""

    output: Output = field(default_factory=Output)
    config: Path | None = None

    def load_settings(
        self, flags: Mapping[str, object] | None = None, *, folder: Path | None = None
    ) -> LoadedSettings:
        """The settings for this command; `flags` by dotted key, None for those not given."""
        from webgeist.settings import load_settings

        return load_settings(file=self.config, environ=os.environ, flags=flags or {}, folder=folder)


def session_of(ctx: typer.Context) -> Session:
    return ctx.ensure_object(Session)
