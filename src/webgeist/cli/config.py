"""webgeist config: the settings in force."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.settings import LoadedSettings

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.callback()
def config() -> None:
    """The settings and where each comes from.

    Example: webgeist config show --origin
    """


@app.command()
def show(
    ctx: typer.Context,
    *,
    origin: Annotated[
        bool, typer.Option("--origin", help="Say where each value comes from.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Print all settings in the form of a webgeist.toml.

    A flag beats a WEBGEIST_ variable, which beats webgeist.toml, which beats the default.

    Example: WEBGEIST_CAPTURE_VIEWPORT=mobile webgeist config show --origin
    """
    session = session_of(ctx)
    loaded = session.load_settings()
    if as_json:
        document: dict[str, object] = {"settings": loaded.settings.model_dump()}
        session.output.json(document | ({"origins": loaded.origins} if origin else {}))
    else:
        session.output.data("\n".join(as_toml(loaded, with_origin=origin)))


def as_toml(loaded: LoadedSettings, *, with_origin: bool) -> Iterator[str]:
    """Lines that webgeist reads as the same settings; an unset value is a comment."""
    for section, values in loaded.settings.model_dump().items():
        yield f"[{section}]"
        for name, value in values.items():
            line = f"# {name} is not set" if value is None else f"{name} = {_toml_value(value)}"
            origin = loaded.origins[f"{section}.{name}"]
            yield f"{line}  # {origin}" if with_origin else line
        yield ""


def _toml_value(value: object) -> str:
    """Strings, numbers and truth values are written in TOML as in JSON."""
    return json.dumps(value, ensure_ascii=False)
