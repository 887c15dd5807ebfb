"""A store of each kind: SQLite always, PostgreSQL where one is installed."""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.scrape.making import Lab

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    return Lab(tmp_path / "log.db")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server of the tests' own, on loopback."""
    if importlib.util.find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed")
    programs = _programs()
    if programs is None:
        pytest.skip("no PostgreSQL server is installed")
    with tempfile.TemporaryDirectory(prefix="webgeist-postgres-") as folder:
        yield from _serve(programs, Path(folder))


def _programs() -> Path | None:
    places = [*sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)]
    if found := shutil.which("initdb"):
        places.insert(0, Path(found).parent)
    return next((place for place in places if (place / "initdb").is_file()), None)


def _serve(programs: Path, folder: Path) -> Iterator[str]:
    account = pwd.getpwnam("nobody") if os.getuid() == 0 else None  # it refuses to run as root
    if account:
        os.chown(folder, account.pw_uid, account.pw_gid)
    user = account.pw_name if account else None
    data = folder / "data"
    initdb = f"{programs}/initdb -D {data} -U tests --auth=trust --no-sync".split()
    subprocess.run(initdb, check=True, capture_output=True, user=user, cwd=folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = subprocess.Popen(
        [programs / "postgres", "-D", data, "-k", folder, "-p", str(port), "-h", "127.0.0.1", "-F"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        user=user,
        cwd=folder,
    )
    try:
        assert server.stderr
        for line in server.stderr:
            if "ready to accept connections" in line:
                break
        yield f"postgresql://tests@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.communicate()


@pytest.fixture
def postgres_lab(postgres: str) -> Lab:
    """An empty database."""
    import psycopg

    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return Lab(postgres)


@pytest.fixture(params=["sqlite", "postgres"])
def either_lab(request: pytest.FixtureRequest) -> Lab:
    """Once with each kind of store."""
    found = request.getfixturevalue("lab" if request.param == "sqlite" else "postgres_lab")
    assert isinstance(found, Lab)
    return found
