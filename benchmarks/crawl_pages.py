"""The pages that crawls are measured on: sample sites, themes and documentation, on several hosts.

Several hosts, because a crawler that asks one host for one page at a time would else have one tab
idle.
"""

from __future__ import annotations

from contextlib import contextmanager
from itertools import chain, zip_longest
from typing import TYPE_CHECKING

from benchmarks import pages
from webgeist.samples.app import SampleWeb

if TYPE_CHECKING:
    from collections.abc import Iterator

_HOSTS = "abcdef"
_SAMPLES_PER_SITE = 4
_RESTLESS = "gentelella/package/dist/index.html"  # goes to another page; crawlee never ends then


@contextmanager
def served(count: int) -> Iterator[list[str]]:
    """The addresses of so many pages, while servers in processes of their own answer for them."""
    with pages.serve(pages.fetch()) as files, pages.sample_port() as port:
        mixed = zip_longest(_themes(count, files.rpartition(":")[2]), _samples(port))
        found = [address for address in chain.from_iterable(mixed) if address]
        yield found[:count]


def _samples(port: int) -> list[str]:
    sites = [site for site in SampleWeb().sites if site.name != "museum"]
    return [
        f"http://{site.name}.localhost:{port}{path}"
        for row in zip(*(list(site.pages)[:_SAMPLES_PER_SITE] for site in sites), strict=True)
        for site, path in zip(sites, row, strict=True)
    ]


def _themes(count: int, port: str) -> list[str]:
    """Pages of packages; each package has one host."""
    packages = [folder.name for folder in pages.folders()]
    found = [path for path in pages.theme_pages(max(3, count // 3)) if path != _RESTLESS]
    hosts = {name: _HOSTS[number % len(_HOSTS)] for number, name in enumerate(packages)}
    return [
        f"http://{hosts[path.partition('/')[0]]}.localhost:{port}/{path}" for path in found[:count]
    ]
