"""The import graph: a room imports only from rooms above it, and no analysis knows another's inside."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import webgeist

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOMS = (
    "page",
    "capture",
    "repository",
    "crawl",
    "analyses",
    "engines",
    "query",
    "search",
    "scrape",
    "watch",
    "server",
    "workbench",
    "cli",
    "samples",
)
KNOW_EVERYBODY = ("workbench", "cli")
FOR_ALL = (
    "blocking",
    "closing",
    "errors",
    "settings",
    "undisturbed",
)  # modules of the root that every room may import
SOURCE = Path(webgeist.__file__).parent

Arrow = tuple[str, str]


def arrows(source: Path) -> Iterator[Arrow]:
    """(importing module, imported module) for every import inside the package, wherever it stands."""
    for file in sorted(source.rglob("*.py")):
        module = _module_name(file, source)
        package = module if file.name == "__init__.py" else module.rpartition(".")[0]
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            for target in _targets(node, package):
                if target.startswith("webgeist."):
                    yield module, target


def _module_name(file: Path, source: Path) -> str:
    parts = ("webgeist", *file.relative_to(source).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


def _targets(node: ast.AST, package: str) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return [f"webgeist.{node.attr}"] if node.value.id == "webgeist" else []  # import webgeist
    if not isinstance(node, ast.ImportFrom):
        return []
    above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
    base = ".".join([*above, *([node.module] if node.module else [])])
    return [f"{base}.{alias.name}" for alias in node.names]


def complaint(arrow: Arrow) -> str | None:
    """Why the arrow points the wrong way; None where it does not."""
    importer, imported = (name.split(".")[1:] for name in arrow)
    where, target = (importer or [""])[0], (imported or [""])[0]
    if where not in (*ROOMS, *FOR_ALL) or target in FOR_ALL or target == "__version__":
        return None  # the package's face may know everybody
    if where in FOR_ALL:
        return f"{where} may know no room" if target not in FOR_ALL else None
    if target not in ROOMS:
        return None if where in KNOW_EVERYBODY else f"{where} imports the package's face"
    if where == "analyses" == target:
        return _complaint_among_analyses(importer, imported)
    if where in KNOW_EVERYBODY or ROOMS.index(target) <= ROOMS.index(where):
        return None
    return f"{where} imports {target}, which is below it"


def _complaint_among_analyses(importer: list[str], imported: list[str]) -> str | None:
    rooms = [path[1] for path in (importer, imported) if len(path) > 1 and _is_sub_room(path[1])]
    if len(rooms) == len((importer, imported)) and rooms[0] != rooms[1]:
        return f"analyses.{rooms[0]} imports analyses.{rooms[1]}"
    return None


def _is_sub_room(name: str) -> bool:
    return (SOURCE / "analyses" / name).is_dir()


def test_no_arrow_points_the_wrong_way() -> None:
    wrong = [
        f"{arrow[0]} → {arrow[1]}: {why}" for arrow in arrows(SOURCE) if (why := complaint(arrow))
    ]
    assert not wrong, "\n".join(wrong)


def test_every_folder_is_a_room() -> None:
    folders = {path.parent.name for path in SOURCE.glob("*/__init__.py")}
    assert folders == {*ROOMS, "settings"}


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("webgeist.page.nodes", "webgeist.capture.browser"),
        ("webgeist.capture.find", "webgeist.repository"),
        ("webgeist.server.app", "webgeist.workbench"),
        ("webgeist.errors", "webgeist.page.nodes"),
        ("webgeist.settings.load", "webgeist.capture.viewport"),
        ("webgeist.crawl.worker", "webgeist.capture_page"),
        ("webgeist.crawl.worker", "webgeist.aio.capture"),
        ("webgeist.analyses.menus.mine", "webgeist.analyses.changes.score"),
    ],
)
def test_wrong_arrows_are_seen(importer: str, imported: str) -> None:
    assert complaint((importer, imported))


@pytest.mark.parametrize(
    ("importer", "imported"),
    [
        ("webgeist.capture.browser", "webgeist.page.nodes"),
        ("webgeist.cli.demo", "webgeist.samples.server"),
        ("webgeist.workbench.app", "webgeist.cli.output"),
        ("webgeist.page.nodes", "webgeist.errors.DamagedError"),
        ("webgeist.cli.app", "webgeist.__version__"),
        ("webgeist.cli.capture", "webgeist.capture"),
        ("webgeist.aio", "webgeist.capture.browser"),
        ("webgeist", "webgeist.capture.browser"),
        ("webgeist.analyses.menus.mine", "webgeist.analyses.menus.cliques"),
        ("webgeist.analyses.menus.mine", "webgeist.analyses.protocol"),
    ],
)
def test_right_arrows_pass(importer: str, imported: str) -> None:
    assert complaint((importer, imported)) is None


def test_every_form_of_import_is_found(tmp_path: Path) -> None:
    room = tmp_path / "page"
    room.mkdir()
    (room / "__init__.py").write_text("from . import nodes\n")
    (room / "nodes.py").write_text(
        "import json\nfrom ..capture import find\n"
        "def late():\n    import webgeist.cli.app\n    from webgeist.crawl.worker import run\n"
        "import webgeist\nwebgeist.__version__\n"
    )
    assert set(arrows(tmp_path)) == {
        ("webgeist.page", "webgeist.page.nodes"),
        ("webgeist.page.nodes", "webgeist.capture.find"),
        ("webgeist.page.nodes", "webgeist.cli.app"),
        ("webgeist.page.nodes", "webgeist.crawl.worker.run"),
        ("webgeist.page.nodes", "webgeist.__version__"),
    }
