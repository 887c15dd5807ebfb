"""webgeist train: a block type is learned from labelled pages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.repo import HERE
from webgeist.cli.session import JsonOption, session_of

if TYPE_CHECKING:
    from webgeist.cli.session import Session

app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def train(
    ctx: typer.Context,
    type_: Annotated[
        str,
        typer.Argument(
            metavar="TYPE", help="A folder with rules.beryl, a shipped type; or vicd, see below."
        ),
    ],
    *,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="FILE.jsonl", dir_okay=False, help="Labelled pages."),
    ] = None,
    model: Annotated[str, typer.Option("--model", help="tree or forest.")] = "tree",
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", metavar="FILE", dir_okay=False, help="Where the model goes [TYPE/model.json]."
        ),
    ] = None,
    families: Annotated[
        bool, typer.Option("--families", help="Also learn without each family of features.")
    ] = False,
    variant: Annotated[
        str, typer.Option("--variant", help="Of vicd: 2_eu, 2_cos, 3_eu or 3_cos.")
    ] = "3_eu",
    pairs: Annotated[
        Path | None,
        typer.Option(
            "--pairs",
            metavar="FILE.csv",
            dir_okay=False,
            help="Of vicd: columns a, b, important, perhaps document; HTML files or pictures.",
        ),
    ] = None,
    root: Annotated[
        Path,
        typer.Option(
            "--root", metavar="DIR", file_okay=False, help="Where the files of --pairs are."
        ),
    ] = HERE,
    rounds: Annotated[int, typer.Option("--rounds", min=1, help="Of vicd: over all pairs.")] = 10,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--picture", metavar="FILE.svg", dir_okay=False, help="Draw the tree into this file."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Learn to tell the blocks of a type, and say how well on sites that were left out.

    The labels are lines of {"target": FILE, "url": URL, "nodes": [XPATH…], "ignore": [XPATH…]}.
    Precision, recall and F1 come from ten parts of whole registered domains, with intervals. Needs
    scikit-learn, from the extra learn; using the model does not.

    TYPE vicd learns the paper's network for changes, in one of four variants, from pairs of
    versions; a quarter of the documents is left out to test it. Needs PyTorch, the extra train.

    Example: webgeist train my_type --labels labels.jsonl --model forest

    Example: webgeist train vicd --variant 3_eu --pairs pairs.csv --root saved --out vicd.npz
    """
    if type_ == "vicd":
        place = out or Path(f"vicd-{variant}.npz")
        _vicd(session_of(ctx), pairs, (variant, root, rounds, place), as_json=as_json)
        return
    if labels is None:
        from webgeist.errors import UsageError

        raise UsageError(f"learning {type_} needs --labels", remedy="webgeist train --help")
    from webgeist.cli.learning import Wanted, learn_type

    session = session_of(ctx)
    learned = learn_type(session, Wanted(type_, labels, model, out, picture), families=families)
    _print(session, learned.card, as_json=as_json)
    if not as_json and learned.text:
        session.output.data(learned.text)
    session.output.say(f"the model is in {learned.place}")


def _vicd(
    session: Session, pairs: Path | None, rest: tuple[str, Path, int, Path], *, as_json: bool
) -> None:
    from webgeist.cli.vicd import Wanted, train_vicd
    from webgeist.errors import UsageError

    if pairs is None:
        raise UsageError("learning vicd needs --pairs", remedy="webgeist train --help")
    _print(session, train_vicd(session, Wanted(pairs, *rest)), as_json=as_json)
    session.output.say(f"the weights are in {rest[-1]}")


def _print(session: Session, card: dict[str, Any], *, as_json: bool) -> None:
    if as_json:
        session.output.json(card)
        return
    for key, value in card.items():
        session.output.data(f"{key}: {value}")
