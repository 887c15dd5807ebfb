from __future__ import annotations

import pytest

from webgeist.cli.sample_maps import map_lines, site_pages
from webgeist.samples.server import serve


@pytest.mark.parametrize(
    "site", ["shop", "magazine", "manual", "directory", "portfolio", "gallery"]
)
def test_every_sample_site_has_a_map(site: str) -> None:
    with serve() as server:
        lines = map_lines(server, site)
    assert len(lines) > 2, lines
    assert lines[1].startswith("  ")


def test_pages_are_each_brought_once_and_of_this_site_alone() -> None:
    with serve() as server:
        urls = [url for url, _ in site_pages(server, "manual")]
        assert len(urls) == len(set(urls)) > 3
        assert all(url.startswith(server.url("manual")) for url in urls)
