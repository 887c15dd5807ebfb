"""What every site promises: its pages answer, can be found, and follow from the clock alone."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import pytest

from webgeist.samples.app import load_sites
from webgeist.samples.clock import Clock

if TYPE_CHECKING:
    from tests.samples.conftest import Visitor

    from webgeist.samples.site import Site

SITE = ""
SITES = load_sites(Clock())
every_site = pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)


@pytest.mark.parametrize(
    ("site", "path"),
    [pytest.param(s.name, path, id=s.name + path) for s in SITES for path in s.pages],
)
def test_a_page_answers(visitor: Visitor, site: str, path: str) -> None:
    answer = visitor.ask(path, site=site)
    assert answer.status == 200
    assert "html" in answer.headers["content-type"]
    assert "</html>" in answer.text


def leads_to(text: str, here: str) -> set[str]:
    """Where links lead, and a search for a lamp."""
    found = re.findall(r'<a [^>]*?href="([^"]*)"', text)
    found += [
        f"{x}?q=lamp" for x in re.findall(r'<form [^>]*?action="([^"]*)" role="search"', text)
    ]
    return {urljoin(here, unescape(target)).partition("#")[0] for target in found}


def is_on_the_way(address: str, wanted: set[str]) -> bool:
    return any(one.startswith(address.partition("?")[0]) for one in wanted)


@every_site
def test_every_page_is_linked_or_listed(visitor: Visitor, site: Site) -> None:
    """Walks from the index and the sitemap towards the pages that neither of them names."""
    home = visitor.server.url(site.name, "")
    listed = re.findall(r"<loc>(.*?)</loc>", visitor.ask("/sitemap.xml", site=site.name).text)
    known = leads_to(visitor.page("/"), visitor.url()) | set(map(unescape, listed))
    wanted = {home + path for path in site.pages} - known
    visited = set[str]()
    while wanted:
        ahead = [one for one in sorted(known - visited) if is_on_the_way(one, wanted)]
        assert ahead, f"nothing leads to {wanted}"
        for here in ahead:
            known |= leads_to(visitor.page(here.removeprefix(home), site=site.name), here)
        visited.update(ahead)
        assert len(visited) < 200, f"nothing near leads to {wanted}"
        wanted -= known


@every_site
def test_the_same_clock_gives_the_same_bytes(
    visitor: Visitor, traveller: Visitor, site: Site
) -> None:
    for path in site.pages:
        ours, theirs = (one.page(path, site=site.name) for one in (visitor, traveller))
        port, other = (f"localhost:{one.server.port}" for one in (visitor, traveller))
        assert ours.replace(port, "HERE") == theirs.replace(other, "HERE"), path


@every_site
def test_there_is_enough_to_capture(site: Site) -> None:
    assert len(set(site.pages)) == len(site.pages)
    assert site.pages[0] == "/"
    assert len(site.pages) >= 8 or site.name == "museum"  # whose exhibits are a list of their own


def test_no_host_belongs_to_two_sites() -> None:
    hosts = [name for site in SITES for name in (site.name, *site.aliases)]
    assert len(set(hosts)) == len(hosts)
    assert not {"", "control"} & set(hosts)
