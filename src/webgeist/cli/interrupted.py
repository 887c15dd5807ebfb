"""The demo's scraper: a program that is interrupted on purpose, and goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist import blocking

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.samples.server import SampleServer
    from webgeist.scrape.session import Counts
    from webgeist.settings import Settings

_AFTER = 4  # blocks
_PROGRAM = """\
program: restaurants
steps:
  - load: {start}
  - for-each: row
    in: {{rows: li.item, columns: {{name: a, place: span}}}}
    steps:
      - skip-block: Restaurant
        key: "{{row.name}}"
        steps:
          - click: "{{row.name}}"
          - scrape: {{parking: ".features td"}}
          - output: {{name: "{{row.name}}", place: "{{row.place}}", parking: "{{parking}}"}}
"""


class _InterruptionError(Exception):
    """As Ctrl-C would."""


def scraped_twice(server: SampleServer, repo: Path, settings: Settings) -> Iterator[str]:
    """Run a program, which is interrupted, and run it again; a line about each, and the sum."""
    from webgeist.scrape.program.launching import Launch
    from webgeist.scrape.program.reading import parse_program
    from webgeist.scrape.run import Run

    program = parse_program(_PROGRAM.format(start=server.url("boards", "/restaurants")))
    store = repo / "restaurants.db"
    store.unlink(missing_ok=True)  # of a demo before
    launch = Launch(program, str(store), settings)
    before = Counter()
    try:
        blocking.run(launch.walk(before))
    except _InterruptionError:
        yield f"interrupted on purpose: {before.rows} rows, {before.loads} pages loaded"
    done = blocking.run(launch.walk())
    yield (
        f"the same command again: {done.counts.skipped} rows skipped, "
        f"{done.counts.rows} more, {done.loads} pages loaded"
    )
    names = [row["name"] for row in Run(program.name, store=store).rows()]
    yield f"in all {len(names)} rows, {len(set(names))} of them different"


class Counter:
    """Counts what a run does, until it has done enough."""

    def __init__(self) -> None:
        self.rows = self.loads = 0

    def __call__(self, counts: Counts, loads: int) -> None:
        self.rows, self.loads = counts.rows, loads
        if counts.committed >= _AFTER:
            raise _InterruptionError
