"""Real pages for benchmarks: npm themes and Debian documentation, served on loopback.

Packages are fetched once with the ordinary clients (`npm pack`, `apt-get download`) into a cache
outside the project; nothing of them is ever committed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

THEMES = (
    "startbootstrap-agency",
    "startbootstrap-clean-blog",
    "startbootstrap-creative",
    "startbootstrap-freelancer",
    "startbootstrap-grayscale",
    "startbootstrap-new-age",
    "startbootstrap-resume",
    "startbootstrap-sb-admin-2",
    "startbootstrap-stylish-portfolio",
    "@tabler/preview",
    "gentelella",
    "material-dashboard",
    "now-ui-kit",
    "soft-ui-dashboard",
)
DOCS = ("apache2-doc", "cmake-doc", "python3.11-doc", "twisted-doc")

# No benchmark reaches beyond this machine: pages that name other hosts don't find them.
LOOPBACK_ONLY = (
    '--host-resolver-rules="MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE *.localhost, '
    'EXCLUDE 127.0.0.1"'
)


def cache_folder() -> Path:
    default = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "webgeist-pages"
    return Path(os.environ.get("WEBGEIST_PAGES", default))


def folders() -> list[Path]:
    """Where each package is unpacked."""
    root = cache_folder()
    return [root / name.replace("/", "-").lstrip("@") for name in (*THEMES, *DOCS)]


def fetch() -> Path:
    """The folder with all packages unpacked; those not there yet are fetched."""
    cache_folder().mkdir(parents=True, exist_ok=True)
    for name, target in zip((*THEMES, *DOCS), folders(), strict=True):
        if not target.exists():
            print(f"fetching {name}", file=sys.stderr)
            _unpack(target, name, _npm if name in THEMES else _debian)
    return cache_folder()


def theme_pages(per_package: int = 5) -> list[str]:
    """Theme and documentation pages in a fixed order that mixes the packages."""
    root = cache_folder()
    lists = []
    for folder in folders():
        found = sorted(path.relative_to(root).as_posix() for path in folder.rglob("*.html"))
        wanted = [path for path in found if "/src/" not in path]
        lists.append(wanted[:: max(1, len(wanted) // per_package)][:per_package])
    return [path for row in zip_longest(*lists) for path in row if path]


def _unpack(target: Path, name: str, fetch_one: Callable[[str, Path], None]) -> None:
    unfinished = target.with_name(target.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir()
    fetch_one(name, unfinished)
    unfinished.rename(target)


def _npm(name: str, folder: Path) -> None:
    subprocess.run(["npm", "pack", "--silent", name], cwd=folder, check=True, capture_output=True)
    archive = next(folder.glob("*.tgz"))
    with tarfile.open(archive) as packed:
        packed.extractall(folder, filter="data")
    archive.unlink()


def _debian(name: str, folder: Path) -> None:
    subprocess.run(["apt-get", "download", "-q", name], cwd=folder, check=True, capture_output=True)
    archive = next(folder.glob("*.deb"))
    subprocess.run(["dpkg-deb", "-x", archive, folder], check=True)
    archive.unlink()


@contextmanager
def serve(folder: Path, certificate: Path | None = None) -> Iterator[str]:
    """The folder on loopback, by a process of its own whose CPU no measurement counts.

    With a certificate (a file that also holds its key) it is served over HTTPS.
    """
    arguments = [str(folder), *([str(certificate)] if certificate else [])]
    with _server("benchmarks.static_server", *arguments) as said:
        yield said


@contextmanager
def sample_port() -> Iterator[int]:
    """The port of the sample web, served the same way."""
    with _server("benchmarks.sample_server") as said:
        yield int(said)


@contextmanager
def secure_port(authority: Path, folder: Path) -> Iterator[int]:
    """The port of the sample web and the folder over HTTPS; `authority` is whose word they have."""
    with _server("benchmarks.secure_server", str(authority), str(folder)) as said:
        yield int(said)


@contextmanager
def stream_address() -> Iterator[str]:
    """A server of bodies of any length, the same way."""
    with _server("benchmarks.stream_server") as said:
        yield said


@contextmanager
def _server(module: str, *arguments: str) -> Iterator[str]:
    """The first line that a server says."""
    command = [sys.executable, "-m", module, *arguments]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield server.stdout.readline().strip()
    finally:
        server.terminate()
        server.wait()
        server.stdout.close()
