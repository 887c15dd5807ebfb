"""Metrics run in real pages: what they give, how they fail, and what they leave alone."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from webgeist.capture import loader
from webgeist.capture.camera import Camera
from webgeist.capture.folder import open_capture
from webgeist.capture.metric_files import Metric, Metrics
from webgeist.capture.outcome import Outcome
from webgeist.capture.target import Target, parse_target

if TYPE_CHECKING:
    from tests.conftest import SettingsMaker, Site

    from webgeist.capture.info import CaptureInfo
    from webgeist.capture.model import Capture

ROOT = Path(__file__).parents[2]
PAGE = "<!doctype html><title>Page</title><p>one<p>two<script>var own = 7</script>"


class Meter:
    """Captures a page with metrics, with one browser for each set of them."""

    def __init__(self, make_settings: SettingsMaker, site: Site) -> None:
        self._make_settings = make_settings
        self._site = site

    async def capture(
        self,
        sources: dict[str, str],
        *,
        html: str = PAGE,
        target: Target | None = None,
        **limits: object,
    ) -> Capture:
        metrics = Metrics(tuple(Metric(*each) for each in sorted(sources.items())))
        settings = self._make_settings(limits=limits)
        async with Camera(settings, metrics=metrics) as camera:
            return await camera.capture(target or Target(self._site.add("/", html)))

    async def __call__(self, sources: dict[str, str], **limits: object) -> CaptureInfo:
        info = (await self.capture(sources, **limits)).info  # type: ignore[arg-type]
        assert info.outcome is Outcome.OK, info.reason
        assert info.nodes
        return info


@pytest.fixture
def meter(make_settings: SettingsMaker, site: Site) -> Meter:
    return Meter(make_settings, site)


WORKING = {
    "expression": ("document.title", '"Page"'),
    "ended": ("document.title;\n", '"Page"'),
    "comment": ("// what it is for\ndocument.querySelectorAll('p').length // two", "2"),
    "object": ("{ b: 1, a: [3, { d: 1, c: 2 }] }", '{"a":[3,{"c":2,"d":1}],"b":1}'),
    "body": ("const all = document.querySelectorAll('p');\nreturn all.length;", "2"),
    "promise": ("new Promise((done) => setTimeout(done, 20, 'late'))", '"late"'),
    "awaited": ("return await Promise.resolve([1])", "[1]"),
    "waiting": ("await Promise.resolve(5)", "5"),
    "async": ("(async () => ({ z: 1, y: null }))()", '{"y":null,"z":1}'),
    "nothing": ("null", "null"),
    "number": ("0.1 + 0.2", "0.30000000000000004"),
    "no-number": ("NaN", "null"),
    "boxed": ("[Object(1), Object('a')]", '[1,"a"]'),
    "date": ("({ at: new Date(0) })", '{"at":"1970-01-01T00:00:00.000Z"}'),
    "proto": ('JSON.parse(\'{"__proto__": 1, "a": 2}\')', '{"__proto__":1,"a":2}'),
    "text": ("'\"ä→\\u0000\\ud83d😀'", '"\\"ä→\\u0000\\ud83d😀"'),
    "own": ("typeof own", '"undefined"'),
}


async def test_what_metrics_give(meter: Meter) -> None:
    info = await meter({name: source for name, (source, _) in WORKING.items()})
    assert info.metrics_failed == {}
    assert info.metrics == {name: text for name, (_, text) in WORKING.items()}
    assert list(info.metrics) == sorted(WORKING)
    assert all(json.loads(text) is not ... for text in info.metrics.values())


FAILING = {
    "syntax": ("const a = ;", "SyntaxError: Unexpected token ';' (line 1)"),
    "syntax-later": ("const a = 1;\n\nreturn a +;", "SyntaxError: Unexpected token ';' (line 3)"),
    "empty": ("", "the result is undefined, for which JSON has no form"),
    "thrown": ("nowhere.to.be.found", "ReferenceError: nowhere is not defined"),
    "thrown-late": ("await 0; throw new Error('late')", "Error: late"),
    "rejected": ("Promise.reject('no')", "no"),
    "thrown-oddly": ("throw Object.create(null)", "something without a name"),
    "thrown-long": ("throw 'x'.repeat(5000)", "x" * 1000),
    "thrown-half": ("throw '\\ud83d'", "\ufffd"),
    "function": ("() => 1", "the result is function, for which JSON has no form"),
    "symbol": ("Symbol('s')", "the result is symbol, for which JSON has no form"),
    "undefined": ("undefined", "the result is undefined, for which JSON has no form"),
    "no-return": ("const a = 1;", "the result is undefined, for which JSON has no form"),
    "bigint": ("({ a: 1n })", "TypeError: Do not know how to serialize a BigInt"),
    "getter": ("({ get a() { throw new Error('got') } })", "Error: got"),
    "large": (
        "'x'.repeat(70000)",
        "a result of 70002 bytes, more than limits.metric_bytes = 65536",
    ),
    "large-bytes": (
        "'ä'.repeat(40000)",
        "a result of 80002 bytes, more than limits.metric_bytes = 65536",
    ),
    "never": ("new Promise(() => 0)", "no result within 0.5 s"),
    "endless": ("for (;;);", "no result within 0.5 s"),
    "endless-later": ("await 0; for (;;);", "no result within 0.5 s"),
    "endless-much-later": (
        "await new Promise((done) => setTimeout(done, 10)); for (;;);",
        "no result within 0.5 s",
    ),
    "endless-json": ("({ toJSON() { for (;;); } })", "no result within 0.5 s"),
    "crying": (
        "setTimeout(() => { for (;;); }, 0); return new Promise(() => 0)",
        "no result within 0.5 s",
    ),
}


async def test_how_metrics_fail_and_others_work_all_the_same(meter: Meter) -> None:
    sources = {name: source for name, (source, _) in FAILING.items()} | {"zz-last": "1"}
    info = await meter(sources, metric_seconds=0.5)
    assert info.metrics == {"zz-last": "1"}
    assert info.metrics_failed == {name: reason for name, (_, reason) in FAILING.items()}
    assert list(info.metrics_failed) == sorted(FAILING)


async def test_what_goes_round_in_circles_is_no_json(meter: Meter) -> None:
    info = await meter({"circle": "const a = {}; a.a = a; return a", "deep": DEEP})
    assert info.metrics_failed["circle"].startswith("TypeError: Converting circular structure")
    assert info.metrics_failed["deep"].startswith("RangeError")


DEEP = "let a = []; for (let n = 0; n < 30000; n++) a = [a]; return a"


async def test_metrics_neither_meet_each_other_nor_the_page(meter: Meter) -> None:
    """Names and changed built-ins stay in the world of their metric."""
    sources = {
        "a": "globalThis.shared = 1; JSON.stringify = () => 'broken'; return 1",
        "b": "typeof shared + typeof own + JSON.stringify([1])",
        "c": "var own = 8; window.own = 9; window.added = 1; return 1",
        "d": "dispatchEvent(new Event('ask')); return document.body.dataset.known",
        "e": "/native code/.test(Date.now)",  # the clock is not the page's
    }
    html = (
        PAGE
        + """<script>JSON.stringify = Promise = 0;
        addEventListener('ask', () => {
          document.body.dataset.known = own + typeof shared + typeof added })</script>"""
    )
    info = (await meter.capture(sources, html=html)).info
    assert info.metrics_failed == {}
    assert list(info.metrics.values()) == [
        "1",
        '"undefinedundefined[1]"',
        "1",
        '"7undefinedundefined"',
        "true",
    ]


async def test_metrics_see_the_page_as_it_is_stored(meter: Meter) -> None:
    late = "<script>setTimeout(() => document.body.append('late'), 200)</script>"
    capture = await meter.capture({"text": "document.body.innerText"}, html=f"<p>soon</p>{late}")
    assert json.loads(capture.info.metrics["text"]).split() == ["soon", "late"]
    assert capture.page is not None
    assert "late" in capture.page.text(0)


async def test_the_metric_in_the_docs_works(meter: Meter) -> None:
    docs = (ROOT / "docs" / "capture.md").read_text("utf-8")
    (source,) = re.findall(r"```js\n(.*?)```", docs, re.DOTALL)
    capture = await meter.capture({"reading": source}, html=f"<main>{'word ' * 600}</main>")
    assert capture.info.metrics == {"reading": '{"minutes":3,"skip":true,"words":600}'}


async def test_the_same_page_gives_the_same_text(meter: Meter) -> None:
    source = "({ z: document.title, a: performance.timing === 1, m: [...document.scripts].length })"
    infos = [await meter({"m": source}) for _ in range(2)]
    assert infos[0].metrics == infos[1].metrics == {"m": '{"a":false,"m":1,"z":"Page"}'}


async def test_without_metrics_nothing_is_said_of_them(meter: Meter) -> None:
    info = await meter({})
    assert (info.metrics, info.metrics_failed) == ({}, {})
    assert "metrics" not in info.stages_ms


@pytest.mark.parametrize(
    ("reply", "outcome"),
    [
        ((204, "text/html", b""), Outcome.NO_CONTENT),
        ((200, "image/gif", b"GIF89a"), Outcome.NOT_HTML),
        ((200, "application/zip", b"PK"), Outcome.DOWNLOAD),
    ],
)
async def test_where_there_is_no_page_every_metric_says_so(
    meter: Meter, site: Site, reply: tuple[int, str, bytes], outcome: Outcome
) -> None:
    status, kind, body = reply
    url = site.add("/none", body, status=status, headers={"content-type": kind})
    info = (await meter.capture({"a": "1", "b": "2"}, target=Target(url))).info
    assert info.outcome is outcome
    assert info.metrics == {}
    assert info.metrics_failed == dict.fromkeys("ab", "there is no page")


async def test_a_document_without_anything_can_be_measured(meter: Meter, site: Site) -> None:
    url = site.add("/empty", "")
    sources = {
        "nodes": "document.documentElement.childElementCount",
        "first": "document.body.first()",
    }
    info = (await meter.capture(sources, target=Target(url))).info
    assert (info.outcome, info.metrics) == (Outcome.EMPTY, {"nodes": "2"})
    assert info.metrics_failed == {"first": "TypeError: document.body.first is not a function"}


async def test_a_page_that_is_too_large_has_no_metrics(meter: Meter) -> None:
    info = (await meter.capture({"a": "1"}, nodes=3)).info
    assert (info.outcome, info.metrics) == (Outcome.TOO_LARGE, {})
    assert info.metrics_failed == {"a": "there is no page"}


async def test_saved_pages_are_measured_although_their_scripts_do_not_run(
    meter: Meter, tmp_path: Path
) -> None:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    target = parse_target(str(tmp_path / "page.html"), url="http://example.org/")
    info = (await meter.capture({"a": "location.href"}, target=target)).info
    assert info.metrics == {"a": '"http://example.org/"'}


async def test_metrics_that_take_too_long_together_leave_time_for_the_page(
    meter: Meter, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loader, "_METRICS_SHARE", 0)
    info = await meter({"a": "1", "b": "1"})
    reason = "not run: the metrics before took all the time there is for them"
    assert info.metrics_failed == dict.fromkeys("ab", reason)


async def test_a_page_that_goes_on_meanwhile_is_measured_where_it_ends(
    meter: Meter, site: Site
) -> None:
    site.add("/2", "<title>second</title><p>x")
    go = "location.pathname === '/' ? location.replace('/2') : 0"
    sources = {"a": f"{go}; await new Promise((done) => setTimeout(done, 300)); return 1"}
    info = await meter(sources | {"b": "document.title"})
    assert info.url == site.url("/2")
    assert info.metrics == {"a": "1", "b": '"second"'}


async def test_captures_keep_their_metrics_on_disk(meter: Meter, tmp_path: Path) -> None:
    capture = await meter.capture({"a": "({ b: 1 })", "c": "oops"})
    folder = capture.save(tmp_path / "one")
    assert await asyncio.to_thread(lambda: open_capture(folder).info) == capture.info
    told = json.loads((folder / "capture.json").read_bytes())
    assert told["metrics"] == {"a": '{"b":1}'}
    del told["metrics"], told["metrics_failed"]  # as captures of before have it
    (folder / "capture.json").write_text(json.dumps(told))
    before = open_capture(folder).info
    assert before == replace(capture.info, metrics={}, metrics_failed={})
