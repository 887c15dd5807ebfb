"""webgeist show: what is known of a stored capture, or of a node or block of it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from webgeist.cli.output import one_line
from webgeist.cli.repo import HERE, RepoOption
from webgeist.cli.session import JsonOption, session_of
from webgeist.cli.summary import summary
from webgeist.cli.wanted import WANTED, find_part, is_digest

if TYPE_CHECKING:
    from webgeist.capture.model import Capture
    from webgeist.cli.output import Output
    from webgeist.cli.wanted import Wanted

    Box = tuple[float, float, float, float]

_LONGEST = 200  # characters of a block's text
app = typer.Typer(add_completion=False, rich_markup_mode=None)


@app.command()
def show(
    ctx: typer.Context,
    capture: Annotated[
        str,
        typer.Argument(
            metavar="CAPTURE[:NODE|:bBLOCK]",
            help=f"{WANTED} With :NODE or :bBLOCK, that node or block of it. Or the SHA-256 of a "
            "resource.",
        ),
    ],
    *,
    repo: RepoOption = HERE,
    release: Annotated[
        int | None,
        typer.Option("--release", metavar="N", min=1, help="As release N has it."),
    ] = None,
    png: Annotated[
        Path | None,
        typer.Option(
            "--png", metavar="FILE", dir_okay=False, help="Write the picture of it to this file."
        ),
    ] = None,
    blocks: Annotated[
        Path | None,
        typer.Option(
            "--blocks", metavar="FILE", dir_okay=False, help="Draw its blocks into this PNG file."
        ),
    ] = None,
    body: Annotated[
        Path | None,
        typer.Option(
            "--body", metavar="FILE", dir_okay=False, help="Write a resource to this file, as sent."
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Show what is known of a capture in a repository, published or not, or of a part of it.

    Of a node, these are its columns and all its computed styles; of a block, its place in the
    visual hierarchy and its features. The picture of a part is its box. In the picture of all
    blocks, boxes are red, texts blue, images green and controls violet.

    Example: webgeist show https://example.org/ --repo my-pages
    """
    from webgeist.repository.repository import open_repository

    output = session_of(ctx).output
    if is_digest(capture):
        facts = _resource(repo, capture, body)
        output.json(facts) if as_json else _print(output, facts)
        return
    with open_repository(repo, readonly=True) as repository, ExitStack() as opened:
        source = None if release is None else opened.enter_context(repository.release(release))
        wanted = find_part(repository, capture, source)
        found = (source or repository).capture(wanted.capture)
        facts, box = _known(found, wanted)
        if png is not None:
            _write_picture(png, found, wanted, box)
        if blocks is not None:
            _draw_blocks(blocks, found)
    if as_json:
        output.json(facts)
    else:
        _print(output, facts)


def _resource(repo: Path, sha256: str, body: Path | None) -> dict[str, Any]:
    from webgeist.repository.files import write_atomically
    from webgeist.repository.repository import open_repository

    with open_repository(repo, readonly=True) as repository:
        answer = repository.resource(sha256.lower())
        if body is not None:
            write_atomically(body, lambda target: target.writelines(answer.body.chunks()))
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in answer.headers}
    facts = {"sha256": answer.body.sha256, "url": answer.url, "time": answer.time.isoformat()}
    return facts | {"status": answer.status, "bytes": answer.body.size, "headers": headers}


def _known(found: Capture, wanted: Wanted) -> tuple[dict[str, Any], Box | None]:
    """What there is to tell, and the box that a picture would show, where there is one."""
    from webgeist.repository.direct import stored_node

    if wanted.block is not None:
        return _block(found, wanted)
    if wanted.node is None:
        shot = found.info.screenshot
        box = (0.0, 0.0, float(shot.width), float(shot.height)) if shot else None
        return {"capture": wanted.capture} | summary(found) | _more(found), box
    node = stored_node(wanted.capture, found.page, wanted.node)
    return {"capture": node.capture} | node.columns | {"styles": node.styles}, node.box


def _block(found: Capture, wanted: Wanted) -> tuple[dict[str, Any], Box | None]:
    """What analyses say of one block; made here and now, so it need not be kept anywhere."""
    from webgeist.analyses.analysis import Subject
    from webgeist.analyses.features.table import FEATURES_ANALYSIS
    from webgeist.analyses.visual import BLOCKS_ANALYSIS
    from webgeist.errors import NotFoundError

    subject = Subject(found)
    rows = BLOCKS_ANALYSIS.rows(subject)
    number = wanted.block or 0
    if number >= rows.num_rows:
        raise NotFoundError(f"capture {wanted.capture} has {rows.num_rows:,} blocks")
    block: dict[str, Any] = rows.slice(number, 1).to_pylist()[0]
    features: dict[str, Any] = FEATURES_ANALYSIS.rows(subject).slice(number, 1).to_pylist()[0]
    facts = {"capture": wanted.capture, "name": subject.page.names[block["node"]]}
    facts |= {"text": subject.page.text(block["node"])[:_LONGEST]}
    box = (block["x"], block["y"], block["width"], block["height"])
    return facts | block | features, box


def _draw_blocks(file: Path, found: Capture) -> None:
    from webgeist.analyses.analysis import Subject
    from webgeist.analyses.drawing import draw_blocks
    from webgeist.repository.files import write_atomically

    image = draw_blocks(Subject(found))
    write_atomically(file, lambda target: image.save(target, "PNG"))


def _write_picture(file: Path, found: Capture, wanted: Wanted, box: Box | None) -> None:
    from webgeist.errors import NotFoundError
    from webgeist.repository.direct import cropped
    from webgeist.repository.files import write_atomically

    if box is None:
        what = "capture" if wanted.node is None else f"node {wanted.node} of capture"
        raise NotFoundError(f"there is no picture of {what} {wanted.capture}")
    image = cropped(wanted.capture, found.screenshot, box)
    write_atomically(file, lambda target: image.save(target, "PNG"))


def _print(output: Output, facts: dict[str, Any]) -> None:
    styles = facts.get("styles")
    for name, value in facts.items():
        if value is not styles or not isinstance(styles, dict):
            output.data(one_line(f"{name:>14}  {_text(value)}"))
    for name, value in styles.items() if isinstance(styles, dict) else ():
        output.data(one_line(f"{name}: {value}"))


def _more(found: Capture) -> dict[str, Any]:
    page = found.page
    return {
        "styles": page.styles_own.num_rows + page.styles_inherited.num_rows if page else 0,
        "messages": len(found.info.messages),
        "browser": found.info.browser,
    }


def _text(value: Any) -> str:
    """A fact for people: long ones as what matters of them."""
    from webgeist.capture.screenshot import ScreenshotInfo
    from webgeist.capture.settle import Settled

    match value:
        case None:
            return ""
        case Settled():
            return value.reason
        case ScreenshotInfo():
            return f"{value.width}x{value.height} {value.format}, {len(value.areas)} tiles"
        case dict():
            return ", ".join(f"{name} {_short(each)}" for name, each in value.items())
        case _:
            return str(value)


def _short(value: object) -> str:
    """What a name stands for: milliseconds of a stage, or an attribute."""
    return f"{value:,.0f}" if isinstance(value, float) else f'"{value}"'
