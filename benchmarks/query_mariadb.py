"""The same data and questions in MariaDB, the paper's own kind of engine: star schema, indexes.

It is asked twice: with the keys that a star schema has, as whoever asks something new finds it, and
with an index for each of these questions beside them. So is DQL: as nobody has asked before, from
files; and when all questions were asked for a while, so that columns are held in memory, as
MariaDB's pages are.

A server of its own: its folder is temporary, it listens on a socket in it and on no network, and it
ends with the benchmark. Needs `mariadbd` (apt-get install mariadb-server) and pip install pymysql.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from benchmarks.query_hand import NODES, SHORT_NODES, Hand, forget
from benchmarks.query_paper import QUESTIONS
from benchmarks.query_world import repository_of
from benchmarks.spread import load, spread
from webgeist.query.ask import ask, database_of
from webgeist.repository.repository import open_repository

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.query_paper import Question
    from webgeist.repository.release import Release

SLOWEST_BAR, SCAN_BAR = 1.5, 5.0
_PATIENCE = 60
_WARMING = 30  # rounds
_TEXT = "VARCHAR(400) COLLATE utf8mb4_bin"

# Columns, where they come from, the keys of a star schema, and an index for each question.
# Captures are numbers here, as the paper's pages are: text keys would only slow MariaDB down.
_TABLES = {
    "pages": (
        "capture INT PRIMARY KEY, depth INT",
        "SELECT k.number, p.depth FROM {pages} p JOIN keys k USING (capture)",
        (),
        ("depth",),
    ),
    "nodes": (
        (
            f"capture INT, node INT, name VARCHAR(80) COLLATE utf8mb4_bin, class {_TEXT}, "
            "input_type VARCHAR(40), x FLOAT, y FLOAT, width FLOAT, height FLOAT, style_inherited INT, "
            "style_own INT, PRIMARY KEY (capture, node)"
        ),
        (
            "SELECT k.number, node, left(name, 80), left(attributes['class'], 400), left(CASE WHEN name = "
            "'input' THEN coalesce(lower(attributes['type']), 'text') END, 40), x, y, width, height, "
            "style_inherited, style_own FROM {nodes} n JOIN keys k USING (capture) ORDER BY 1, 2"
        ),
        ("capture, style_inherited", "capture, style_own"),
        ("name", "class"),
    ),
    "styles_inherited": (
        (
            f"capture INT, style INT, nodes INT, color VARCHAR(80), `cursor` {_TEXT}, font_size FLOAT, "
            "PRIMARY KEY (capture, style)"
        ),
        (
            "SELECT k.number, style, nodes, color, left(cursor, 400), font_size_px "
            "FROM {styles_inherited} JOIN keys k USING (capture) ORDER BY 1, 2"
        ),
        (),
        ("color, nodes", "`cursor`", "font_size"),
    ),
    "styles_own": (
        "capture INT, style INT, nodes INT, opacity FLOAT, alpha FLOAT, PRIMARY KEY (capture, style)",
        (
            "SELECT k.number, style, nodes, opacity_value, background_color_alpha "
            "FROM {styles_own} JOIN keys k USING (capture) ORDER BY 1, 2"
        ),
        (),
        ("opacity, nodes", "alpha"),
    ),
    "blocks": (
        "capture INT, block INT, node INT, kind VARCHAR(10), PRIMARY KEY (capture, block)",
        "SELECT k.number, block, node, kind FROM {blocks} JOIN keys k USING (capture) ORDER BY 1, 2",
        ("capture, node",),
        ("kind",),
    ),
    "features": (
        (
            "capture INT, block INT, aspectRatio FLOAT, leftSidedness FLOAT, topSidedness FLOAT, "
            "areaOfPage FLOAT, fractionalY FLOAT, words INT, PRIMARY KEY (capture, block)"
        ),
        (
            'SELECT k.number, block, "aspectRatio", "leftSidedness", "topSidedness", "areaOfPage", '
            '"fractionalY", words FROM {features} JOIN keys k USING (capture) ORDER BY 1, 2'
        ),
        (),
        ("aspectRatio", "block, aspectRatio"),
    ),
}


def run(*, short: bool) -> dict[str, Any]:
    if shutil.which("mariadbd") is None:
        print("  no mariadbd here: apt-get install mariadb-server", file=sys.stderr)
        return {"mariadb_keyed": []}
    folder = repository_of(SHORT_NODES if short else NODES)
    with (
        TemporaryDirectory() as temporary,
        open_repository(folder, readonly=True) as repository,
        repository.release() as release,
        _server(Path(temporary)) as connection,
    ):
        took = [_fill(connection, release, Path(temporary))]
        rounds = 2 if short else 5
        first = [_measured(release, connection, each, rounds, forget) for each in QUESTIONS]
        _warm(release)
        keyed = [_measured(release, connection, each, rounds) for each in QUESTIONS]
        took.append(_add_indexes(connection))
        indexed = [_measured(release, connection, each, rounds) for each in QUESTIONS]
    parts = {"mariadb_first": first, "mariadb_keyed": keyed, "mariadb_indexed": indexed}
    return parts | {"mariadb_seconds": took, "mariadb_load": load()}


def _warm(release: Release) -> None:
    """Asks everything until nothing more is held for it."""
    for _ in range(_WARMING):
        for question in QUESTIONS:
            ask(release, question.dql)
    columns = sum(map(len, database_of(release).held.columns.values()))
    print(f"  {columns} columns are held", file=sys.stderr)


@contextmanager
def _server(folder: Path) -> Iterator[Any]:
    import pymysql

    data, socket = folder / "data", folder / "socket"
    common = ["--no-defaults", f"--datadir={data}", f"--user={os.environ.get('USER', 'root')}"]
    subprocess.run(
        ["mariadb-install-db", *common, "--auth-root-authentication-method=normal"],
        check=True,
        capture_output=True,
    )
    options = ["--skip-networking", f"--socket={socket}", "--secure-file-priv="]
    options += [
        "--innodb-buffer-pool-size=2G",
        "--skip-log-bin",
        "--innodb-flush-log-at-trx-commit=0",
    ]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(["mariadbd", *common, *options], stdout=log, stderr=log)
    try:
        until = time.monotonic() + _PATIENCE
        while True:
            try:
                connection = pymysql.connect(
                    unix_socket=str(socket), user="root", autocommit=True, charset="utf8mb4"
                )
                break
            except pymysql.err.OperationalError:
                if time.monotonic() > until or server.poll() is not None:
                    raise
                time.sleep(0.2)
        yield connection
    finally:
        server.terminate()
        server.wait()


def _fill(connection: Any, release: Release, folder: Path) -> float:
    """Tables as tab-separated files, then keys, then statistics for the planner."""
    started = time.perf_counter()
    hand = Hand(release)
    hand.run(
        "CREATE TABLE keys AS SELECT capture, row_number() OVER (ORDER BY capture) AS number "
        "FROM {captures}"
    )
    with connection.cursor() as cursor:
        cursor.execute("CREATE DATABASE pages")
        cursor.execute("USE pages")
        for name, (columns, select, keys, _) in _TABLES.items():
            file = folder / f"{name}.tsv"
            hand.run(f"COPY ({select}) TO '{file}' (DELIMITER '\t', HEADER false, NULLSTR 'NULL')")
            cursor.execute(f"CREATE TABLE {name} ({columns})")
            cursor.execute("SET sql_mode = ''")
            cursor.execute(
                f"LOAD DATA INFILE '{file}' INTO TABLE {name} CHARACTER SET utf8mb4 "
                "FIELDS TERMINATED BY '\t' OPTIONALLY ENCLOSED BY '\"' ESCAPED BY ''"
            )
            _index(cursor, name, keys)
            file.unlink()
    print(f"  filled in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return time.perf_counter() - started


def _add_indexes(connection: Any) -> float:
    started = time.perf_counter()
    with connection.cursor() as cursor:
        for name, (_, _, _, indexes) in _TABLES.items():
            _index(cursor, name, indexes)
    print(f"  indexed in {time.perf_counter() - started:.0f} s", file=sys.stderr)
    return time.perf_counter() - started


def _index(cursor: Any, table: str, columns: tuple[str, ...]) -> None:
    for each in columns:
        cursor.execute(f"CREATE INDEX `{each.replace('`', '')}` ON {table} ({each})")
    cursor.execute(f"ANALYZE TABLE {table}")


def _measured(
    release: Release,
    connection: Any,
    question: Question,
    rounds: int,
    before: Callable[[Release], None] = lambda _: None,
) -> dict[str, Any]:
    def theirs() -> int:
        with connection.cursor() as cursor:
            cursor.execute(question.mariadb)
            return len(cursor.fetchall())

    counts = (len(ask(release, question.dql)), theirs())
    times = []
    for _ in range(rounds):
        before(release)
        started = time.perf_counter()
        ask(release, question.dql)
        middle = time.perf_counter()
        theirs()
        times.append((middle - started, time.perf_counter() - middle))
    ours, other = (spread(column).median for column in zip(*times, strict=True))
    print(
        f"  {question.name}: {ours * 1000:.1f} / {other * 1000:.1f} ms, rows {counts}",
        file=sys.stderr,
    )
    return {
        "name": question.name,
        "scan": question.scan,
        "rows": list(counts),
        "dql_ms": ours * 1000,
        "mariadb_ms": other * 1000,
        "faster": other / ours,
    }


def report(figures: dict[str, Any]) -> list[str]:
    if not figures["mariadb_keyed"]:
        return ["MariaDB is not installed: not measured"]
    filled, indexed = figures["mariadb_seconds"]
    names = ("mariadb_first", "mariadb_keyed", "mariadb_indexed")
    rows = zip(*(figures[name] for name in names), strict=True)
    return [
        (
            f"DQL beside MariaDB ({figures['mariadb_load']}): none slower than {SLOWEST_BAR}x, "
            f"scans {SCAN_BAR:.0f}x faster. Filled in {filled:.0f} s, indexed in {indexed:.0f} s"
        ),
        "",
        (
            "| query | | rows | DQL first, ms | DQL held, ms | with keys, ms | first is faster "
            "| held is faster | with indexes, ms | held is faster |"
        ),
        "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|",
        *(
            f"| {first['name']} | {'scan' if first['scan'] else ''} | {first['rows'][0]:,} "
            f"| {first['dql_ms']:.1f} | {keyed['dql_ms']:.1f} | {keyed['mariadb_ms']:.1f} "
            f"| {first['faster']:.1f}x | {keyed['faster']:.1f}x "
            f"| {index['mariadb_ms']:.1f} | {index['faster']:.1f}x |"
            for first, keyed, index in rows
        ),
    ]
