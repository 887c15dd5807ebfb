"""Answers of `webgeist pagination`, one target after the other with one browser."""

from __future__ import annotations

import json
import time
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from webgeist.errors import NotFoundError, UsageError, WebgeistError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from webgeist.analyses.blocks.pagination import Pagination
    from webgeist.capture.camera import Camera
    from webgeist.capture.model import Capture
    from webgeist.settings import Settings

_FIELDS = ("xpath", "href", "text", "label", "immediate", "score", "reason")


@dataclass(frozen=True)
class Wanted:
    target: str
    url: str | None = None


@dataclass(frozen=True)
class Answer:
    """What was found on one target, or why nothing could be looked for."""

    target: str
    links: list[dict[str, Any]] = field(default_factory=list)
    infinite_scroll: str | None = None
    ms: dict[str, float] = field(default_factory=dict)
    error: str | None = None

    def to_dict(self) -> dict[str, Any]:
        if self.error is not None:
            return {"target": self.target, "error": self.error}
        found = {"links": self.links, "infinite_scroll": self.infinite_scroll, "ms": self.ms}
        return {"target": self.target, **found}


def read_wanted(targets: Sequence[str], url: str | None, file: Path | None) -> list[Wanted]:
    """The targets of the command line, and those of a file after them."""
    if url is not None and len(targets) != 1:
        raise UsageError("--url goes with one saved file", remedy="use --from for several")
    wanted = [Wanted(target, url) for target in targets]
    return wanted if file is None else [*wanted, *_read(file)]


def _read(file: Path) -> list[Wanted]:
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {error}") from error
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UsageError(f"{file}:{number} is no JSON: {error}") from error
        if not isinstance(row, dict) or not isinstance(row.get("target"), str):
            raise UsageError(f'{file}:{number} has no "target"')
        url = row.get("url")
        if url is not None and not isinstance(url, str):
            raise UsageError(f'{file}:{number}: "url" is no text')
        found.append(Wanted(row["target"], url))
    return found


async def answers(
    wanted: Sequence[Wanted], settings: Settings, repo: Path
) -> AsyncGenerator[Answer]:
    """An answer for each target, in order."""
    looking = Looking(settings, repo)
    async for one, capture, error in looking.captures(wanted):
        if capture is None:
            yield Answer(one.target, error=error)
            continue
        try:
            yield _answer(one, capture, looking.body, looking.took)
        except WebgeistError as problem:
            yield Answer(one.target, error=str(problem))


class Looking:
    """Captures of targets, one after the other; the browser is started when one needs it."""

    def __init__(self, settings: Settings, repo: Path) -> None:
        plain = settings.capture.model_copy(update={"screenshot": "none"})
        self._settings = settings.model_copy(update={"capture": plain})
        self._repo = repo
        self.body: bytes | None = None  # of the saved file that was looked at last
        self.took = 0.0  # milliseconds that the last one took to render

    async def captures(
        self, wanted: Sequence[Wanted]
    ) -> AsyncGenerator[tuple[Wanted, Capture | None, str | None]]:
        """Each target with its capture, or with why there is none."""
        from webgeist.capture.camera import Camera

        async with AsyncExitStack() as opened:
            camera: Camera | None = None
            for each in wanted:
                try:
                    self.body, self.took = None, 0.0
                    capture = _stored(each, self._repo)
                    if capture is None:
                        if camera is None:
                            camera = await opened.enter_async_context(Camera(self._settings))
                        capture = await self._render(each, camera)
                except WebgeistError as error:
                    yield each, None, str(error)
                    continue
                if capture.page is None:
                    yield each, None, f"{capture.info.outcome} {capture.info.reason}".strip()
                else:
                    yield each, capture, None
                capture.close()

    async def _render(self, wanted: Wanted, camera: Camera) -> Capture:
        from webgeist.capture.target import parse_target

        started = time.perf_counter()
        most = self._settings.limits.file_bytes
        target = parse_target(wanted.target, url=wanted.url, most_bytes=most)
        capture = await camera.capture(target)
        self.body = None if target.saved is None else target.saved.body
        self.took = round(1000 * (time.perf_counter() - started), 2)
        return capture


def _stored(wanted: Wanted, repo: Path) -> Capture | None:
    """The capture of a repository that is meant, if no file or URL is."""
    from pathlib import Path

    from webgeist.cli.wanted import find_capture
    from webgeist.repository.repository import open_repository

    text = wanted.target
    if "/" in text or "." in text or ":" in text or Path(text).exists():
        return None
    try:
        with open_repository(repo, readonly=True) as repository:
            return repository.capture(find_capture(repository, text))
    except NotFoundError as error:
        raise NotFoundError(
            f"{text!r} is neither a URL nor a file nor a capture", remedy=error.remedy
        ) from error


def _answer(wanted: Wanted, capture: Capture, body: bytes | None, took: float) -> Answer:
    from webgeist.analyses.blocks.pagination import find_pagination

    found = find_pagination(capture)
    return _told(wanted, found, took, _in_file(body, capture, found))


def _in_file(body: bytes | None, capture: Capture, found: Pagination) -> dict[int, str]:
    """Where the links stand in a saved file, for tools that parse it themselves."""
    from webgeist.analyses.blocks.file_addresses import file_xpaths

    if body is None or capture.page is None:
        return {}
    return file_xpaths(body, capture.page, [link.node for link in found.links])


def _told(wanted: Wanted, found: Pagination, rendering: float, paths: dict[int, str]) -> Answer:
    links = [
        {name: getattr(link, name) for name in _FIELDS}
        | {"xpath": paths.get(link.node, link.xpath)}
        for link in found.links
    ]
    ms = {"capture": rendering, **found.ms}
    return Answer(wanted.target, links, found.infinite_scroll, ms)
