"""What commands that look at pages of any kind are asked with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

TargetsArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="TARGET...",
        show_default=False,
        help="URLs, saved HTML files, or captures of a repository.",
    ),
]
UrlOption = Annotated[
    str | None, typer.Option("--url", help="The address that a saved file is shown under.")
]
FromOption = Annotated[
    Path | None,
    typer.Option(
        "--from",
        metavar="FILE.jsonl",
        dir_okay=False,
        help='More targets: lines of {"target": …, "url": …}.',
    ),
]
AllowPrivateOption = Annotated[
    bool | None,
    typer.Option("--allow-private", help="Let pages reach this machine and its network."),
]
DelayOption = Annotated[
    float | None, typer.Option("--delay", min=0, help="Seconds between two pages of a host [1].")
]
JsonlOption = Annotated[
    bool, typer.Option("--jsonl", help="Print one JSON line per target on stdout.")
]
