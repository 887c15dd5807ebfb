"""Where the CPU of a crawl goes: by process, by stage of a capture, and in Python by what it does.

Two crawls of the same pages: one as it is, for processes and stages; one with a profile of every
thread, which costs time itself, so that only its shares say something.
"""

from __future__ import annotations

import os
import pstats
import re
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.crawl_commands import REPOSITORY, WEBGEIST, crawl
from benchmarks.crawl_pages import served
from benchmarks.crawl_peers import PAGES
from benchmarks.spread import load, spread
from webgeist.capture.find import find_browser
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Key = TypeVar("Key")

# What Python does, by whose code it is; the first that fits counts.
_WORK = {
    "recorder": r"webgeist/capture/(recorder|gate|race|fetch|exchange)|/h11/",
    "decode": r"webgeist/(page/|capture/decode)|/orjson/|cv2|/PIL/",
    "other of capture": r"webgeist/(capture/|undisturbed|blocking)",
    "archive": r"webgeist/repository/archive",
    "tables, pictures": r"webgeist/repository/|/pyarrow/",
    "frontier, links": r"webgeist/crawl/|/protego",
    "database": r"/sqlalchemy/",
    "event loop, sockets": r"/asyncio/|/selectors|/websockets/|/ssl|/concurrent/|/threading",
    "start": r"importlib|/pydantic|/typer/|/click/|/rich/|/re/|/enum|/typing|/dataclasses|/inspect",
}
_OTHER = "other"
_SHOWN = 15
_BUILT_IN = "~"

Function = tuple[str, int, str]


def run(*, short: bool) -> dict[str, Any]:
    count = 12 if short else PAGES
    browser = str(find_browser(environ=os.environ).path)
    with TemporaryDirectory() as folder, served(count) as addresses:
        plain, profiled, profiles = (Path(folder, name) for name in ("plain", "slow", "profiles"))
        ran = crawl(WEBGEIST, addresses, browser, plain)
        stages = _stages(plain / REPOSITORY)
        profiles.mkdir()
        crawl(WEBGEIST, addresses, browser, profiled, environ={"WEBGEIST_PROFILE": str(profiles)})
        own = _own_seconds(sorted(profiles.iterdir()))
    python = ran.cpu["Python"] * 1000 / count
    return {
        "pages": count,
        "seconds": ran.seconds,
        "cpu_ms": {role: cpu * 1000 / count for role, cpu in _largest(ran.cpu)},
        "stages_ms": stages,
        "python_ms": {name: share * python for name, share in _largest(_shares(own))},
        "functions_ms": {
            _name(function): seconds / sum(own.values()) * python
            for function, seconds in _largest(own)[:_SHOWN]
        },
        "load": load(),
    }


def _stages(repository: Path) -> dict[str, dict[str, Any]]:
    """Milliseconds that each stage of a capture took."""
    found: defaultdict[str, list[float]] = defaultdict(list)
    with open_repository(repository, readonly=True) as opened:
        for capture in opened:
            for name, spent in capture.info.stages_ms.items():
                found[name].append(spent)
    return {
        name: vars(spread(spent)) | {"mean": sum(spent) / len(spent)}
        for name, spent in found.items()
    }


def _own_seconds(profiles: Sequence[Path]) -> dict[Function, float]:
    """CPU seconds of each function of Python, with those of the built-in ones that it called."""
    own: defaultdict[Function, float] = defaultdict(float)
    for path in profiles:
        stats: Any = pstats.Stats(str(path))
        for function, (_, _, spent, _, callers) in stats.stats.items():
            if function[0] == _BUILT_IN and callers:
                for caller, (_, _, its, _) in callers.items():
                    own[caller] += its
            else:
                own[function] += spent
    return own


def _shares(own: dict[Function, float]) -> dict[str, float]:
    shares: defaultdict[str, float] = defaultdict(float)
    for (file, _, _), seconds in own.items():
        shares[_work(file)] += seconds / sum(own.values())
    return shares


def _work(file: str) -> str:
    return next((name for name, files in _WORK.items() if re.search(files, file)), _OTHER)


def _name(function: Function) -> str:
    file, line, name = function
    return f"{'/'.join(Path(file).parts[-2:])}:{line} {name}"


def _largest(values: Mapping[Key, float]) -> list[tuple[Key, float]]:
    return sorted(values.items(), key=lambda item: -item[1])


def report(figures: dict[str, Any]) -> list[str]:
    stages = figures["stages_ms"].items()
    return [
        f"Where the CPU of a crawl goes: {figures['pages']} pages, two tabs ({figures['load']})",
        "",
        *_table("process, CPU ms a page", figures["cpu_ms"]),
        *_table("of it Python, CPU ms a page", figures["python_ms"]),
        *_table("in Python most, CPU ms a page", figures["functions_ms"]),
        *_table("stage, mean ms (not CPU)", {name: each["mean"] for name, each in stages}),
    ]


def _table(head: str, values: dict[str, float]) -> list[str]:
    rows = [f"| {name} | {value:.1f} |" for name, value in values.items()]
    return [f"| {head} | |", "|---|--:|", *rows, ""]
