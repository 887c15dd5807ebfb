"""A small repository with everything in it, and a real server for it in a thread."""

from __future__ import annotations

import asyncio
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx
import pyarrow as pa
from tests.repository.archive.exchanges import close_bodies, make_exchange
from tests.repository.making import URL, make_capture, new_repository

from webgeist.analyses.features.table import FEATURES_ANALYSIS
from webgeist.analyses.visual import BLOCKS_ANALYSIS
from webgeist.repository.ids import capture_id
from webgeist.repository.results import OK, Result
from webgeist.repository.schema import ID
from webgeist.server.running import listening
from webgeist.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.capture.model import Capture
    from webgeist.repository.repository import Repository
    from webgeist.server.running import Running

COUNT = 12


def made(number: int) -> Capture:
    """One of the captures; those from 6 on are of another host."""
    return make_capture(number, url=URL if number < 6 else f"http://other.example/{number}")


IDS = [capture_id(made(number).info) for number in range(COUNT)]
FAILED = capture_id(make_capture(50, nodes=0).info)  # it has no page
SCRIPT = b"<!doctype html><script>document.title = 'it ran'</script>"
PICTURE = b"\x89PNG\r\n\x1a\n no picture, but sent as one"
SHEET = b"body { background: url('/a.png') }"


def exchanges() -> list[Any]:
    kinds = (("page", SCRIPT, "text/html"), ("a.png", PICTURE, "image/png"))
    return [
        make_exchange(
            f"http://example.org/{name}",
            data,
            number=number,
            headers=((b"Content-Type", kind.encode()),),
        )
        for number, (name, data, kind) in enumerate((*kinds, ("a.css", SHEET, "text/css")))
    ]


def make_repository(path: Path) -> None:
    """Release 1 has six captures; release 2 all, their blocks and features, and a failed one."""
    with new_repository(path, *range(5)) as repository:
        repository.add(make_capture(5), exchanges())
        repository.publish()
        for number in range(6, COUNT):
            repository.add(made(number))
        repository.add(make_capture(50, nodes=0))
        _analyse(repository)
        repository.publish()
    close_bodies()


def _analyse(repository: Repository) -> None:
    """Two blocks on each page, as analyses would keep them."""
    boxes = [(0.0, 0.0, 8.0, 8.0), (1.5, 2.0, 4.0, 3.0)]
    for analysis, row in ((BLOCKS_ANALYSIS, _block), (FEATURES_ANALYSIS, _features)):
        repository.begin_analysis(analysis.name, analysis.version)
        rows = [
            {"capture": id_} | row(number, box)
            for id_ in sorted(IDS)
            for number, box in enumerate(boxes)
        ]
        schema = pa.schema([pa.field("capture", ID), *analysis.schema])
        table = pa.Table.from_pylist(rows, schema=schema)
        results = [Result(id_, analysis.name, analysis.version, OK, "", 2, 1.0) for id_ in IDS]
        repository.add_results(results, {analysis.name: table})


def _block(number: int, box: tuple[float, float, float, float]) -> dict[str, Any]:
    tree: dict[str, Any] = {
        "block": number,
        "node": 2 * number,
        "parent": number - 1 if number else None,
    }
    tree |= {"end": 2, "depth": number, "order": 0, "kind": "text" if number else "box", "also": []}
    return tree | dict(zip(("x", "y", "width", "height"), box, strict=True))


def _features(number: int, box: tuple[float, float, float, float]) -> dict[str, Any]:
    numbers = {field.name: 0 for field in FEATURES_ANALYSIS.schema if _is_number(field.type)}
    return numbers | {"block": number, "aspectRatio": box[2] / box[3], "words": 7}


def _is_number(kind: pa.DataType) -> bool:
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


@dataclass(frozen=True)
class Asked:
    """A running server, and a client for it."""

    running: Running
    client: httpx.Client

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.running.address.port}"

    def get(self, path: str, **more: Any) -> httpx.Response:
        return self.client.get(path, **more)

    def json(self, path: str, **more: Any) -> Any:
        answer = self.get(path, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def problem(self, path: str, status: int, **more: Any) -> dict[str, Any]:
        """What is wrong with a request, in the one form that there is."""
        return problem(self.client.request(more.pop("method", "GET"), path, **more), status)


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    found: dict[str, Any] = answer.json()
    assert found["status"] == status
    assert found["type"].startswith("urn:webgeist:problem:")
    assert "Traceback" not in answer.text
    return found


@contextmanager
def serving(path: Path, **server: Any) -> Iterator[Asked]:
    """A server for a repository on free ports of 127.0.0.1, in a thread, as long as the block."""
    given = {"port": 0, "pages_port": 0} | server
    settings = Settings.model_validate({"api": given})
    with listening(path, settings) as running:
        thread = threading.Thread(target=lambda: asyncio.run(running.run()))
        thread.start()
        try:
            url = f"http://127.0.0.1:{running.address.port}"
            with httpx.Client(base_url=url, timeout=60) as client:
                yield Asked(running, client)
        finally:
            running.stop()
            thread.join(30)
            assert not thread.is_alive()
