"""Links of a page, judged."""

from __future__ import annotations

from webgeist.crawl.addresses import Address, parse
from webgeist.crawl.frontier import Found
from webgeist.crawl.outgoing import Outgoing, Place
from webgeist.crawl.scope import Reach, Rules, Scope, Step
from webgeist.settings import CrawlSettings


def at(url: str) -> Address:
    found = parse(url)
    assert found is not None
    return found


def test_every_link_leads_to_a_page_or_has_a_word() -> None:
    seed = at("http://h/")
    rules = Rules(Reach.HOST, exclude=("/no/",), depth=3)
    outgoing = Outgoing(Scope(rules, [seed]), CrawlSettings(path_segments=3))
    links = {
        "http://h/a#one": "followed",
        "http://h/a?utm_source=x#two": "followed",
        "http://h/b": "followed",
        "http://other/": "out-of-scope",
        "http://h/no/c": "excluded",
        "http://h/1/2/3/4": "crawl.path_segments",
        "mailto:somebody@h": "no-page",
        "javascript:void(0)": "no-page",
        "http://[": "no-page",
        "": "no-page",
    }
    judged = outgoing.judge([*links, None], Place(7, seed, Step(2)))
    words = ["followed" if isinstance(each, Found) else each for each in judged]
    assert words == [*links.values(), "no-page"]
    pages = [each for each in judged if isinstance(each, Found)]
    assert [page.address.url for page in pages] == ["http://h/a", "http://h/a", "http://h/b"]
    assert {(page.step, page.source) for page in pages} == {(Step(3), 7)}
    assert outgoing.judge(["http://h/a"], Place(7, seed, Step(3))) == ["too-deep"]
