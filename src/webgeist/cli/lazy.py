"""Commands whose module is imported when they run: help, version and completion stay fast."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import typer.main
from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer._click import Command  # Typer's own base class has no public name


class LazyCommand(TyperCommand):
    """Stands in for a command in lists. `module` holds it as a Typer application named `app`."""

    def __init__(self, name: str, module: str, summary: str) -> None:
        super().__init__(name=name, help=summary)
        self.module = module

    def load(self) -> Command:
        """The command itself."""
        return typer.main.get_command(import_module(self.module).app)

    def make_context(self, *args: Any, **extra: Any) -> Any:
        """The loaded command's own context: from here on this stand-in is out of the way."""
        return self.load().make_context(*args, **extra)
