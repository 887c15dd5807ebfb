"""Whether a recorder loses anything: its exchanges against the log of the server itself.

Four tabs at once, each on another page; every address names the visit it belongs to, so that an
exchange in the wrong capture shows. Over HTTP and HTTPS, for each form of recorder.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from benchmarks.asking import PAGES
from benchmarks.spread import load
from benchmarks.studio import NO_PICTURE, RECORDERS, camera
from benchmarks.trust import make_trust
from benchmarks.witness import Facts, Witness, witness
from webgeist.capture.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.trust import Trust
    from webgeist.capture.camera import Camera
    from webgeist.capture.exchange import Exchange

_SHOWN = 5
_SETTINGS = NO_PICTURE | {"limits": {"settle_seconds": 60}}  # for a busy machine


def run(*, short: bool) -> dict[str, Any]:
    rounds = 1 if short else 6
    figures = {}
    with TemporaryDirectory() as work:
        trust = make_trust("*.web.localhost", Path(work))
        for form in RECORDERS:
            for scheme, chosen in (("http", None), ("https", trust)):
                found = asyncio.run(_form(form, Path(work), chosen, rounds))
                figures[f"{form}, {scheme}"] = found
                print(f"  {form}, {scheme}: {_counts(found)}", file=sys.stderr)
    return figures


async def _form(form: str, folder: Path, trust: Trust | None, rounds: int) -> dict[str, Any]:
    with witness(trust.certificate if trust else None) as web:
        async with camera(form, folder, trust, _SETTINGS) as taking:
            visits = [
                visit
                for number in range(rounds)
                for visit in await asyncio.gather(
                    *(_visit(taking, web, name, f"{number}-{name}") for name in _turned(number))
                )
            ]
    return _judged(web, dict(visits))


def _turned(number: int) -> tuple[str, ...]:
    turn = number % len(PAGES)
    return PAGES[turn:] + PAGES[:turn]


async def _visit(taking: Camera, web: Witness, page: str, tag: str) -> tuple[str, Counter[Facts]]:
    """What was recorded for one visit, under its tag."""
    capture = await taking.capture(Target(web.url(f"/{tag}/{page}")))
    title = capture.info.metadata.title if capture.info.metadata else ""
    if title != "done":
        raise RuntimeError(f"{tag}: {capture.info.outcome} {capture.info.reason}, {title!r}")
    recorded = Counter(_facts(exchange, web) for exchange in capture.exchanges)
    capture.close()
    return tag, recorded


def _facts(exchange: Exchange, web: Witness) -> Facts:
    """A body that was recorded without its coding stands for the one that was sent with it."""
    asked, said = exchange.request_body.sha256, exchange.body.sha256
    if exchange.decoded:
        said = web.coded.get(said, said)
    return Facts(exchange.method, exchange.url, exchange.status, asked, said)


def _judged(web: Witness, visits: dict[str, Counter[Facts]]) -> dict[str, Any]:
    """Server and recorder compared: first which requests there were, then what was in them."""
    seen = Counter(each.facts for each in web.log)
    recorded = sum(visits.values(), Counter())
    missing = _requests(seen) - _requests(recorded)
    unsent = _requests(recorded) - _requests(seen)
    wrong = [fact for tag, facts in visits.items() for fact in facts if _tag(fact.url) != tag]
    different = [fact for fact in seen - recorded if (fact.method, fact.url) not in missing]
    return {
        "load": load(),
        "visits": len(visits),
        "requests": seen.total(),
        "missing": _shown(missing),
        "never_sent": _shown(unsent),
        "wrong_capture": len(wrong),
        "different": _shown(_requests(Counter(different))),
    }


def _requests(facts: Counter[Facts]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for fact, count in facts.items():
        found[fact.method, fact.url] += count
    return found


def _tag(url: str) -> str:
    return urlsplit(url).path.split("/")[1]


def _shown(requests: Counter[tuple[str, str]]) -> dict[str, int]:
    """By what was asked for, without visit and host."""
    found: Counter[str] = Counter()
    for (method, url), count in requests.items():
        found[f"{method} {url.rpartition('/')[2]}"] += count
    return dict(found)


def report(figures: dict[str, Any]) -> list[str]:
    lines = [
        f"Requests in the server's own log against exchanges, {len(PAGES)} tabs at once",
        "",
        "| recorder | visits | requests | missing | never sent | wrong capture | other bytes |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, found in figures.items():
        lines.append(f"| {name} | {found['visits']} | {_counts(found)} |")
    for name, found in figures.items():
        for what in ("missing", "never_sent", "different"):
            lines += [f"{name}, {what}: {row}" for row in _listed(found[what])]
    return lines


def _counts(found: dict[str, Any]) -> str:
    missing, unsent, other = (
        sum(found[what].values()) for what in ("missing", "never_sent", "different")
    )
    columns: Iterable[int] = (found["requests"], missing, unsent, found["wrong_capture"], other)
    return " | ".join(map(str, columns))


def _listed(requests: dict[str, int]) -> list[str]:
    most = sorted(requests.items(), key=lambda item: -item[1])
    rows = [f"{name} ({count} times)" for name, count in most[:_SHOWN]]
    return [*rows, f"and {len(most) - _SHOWN} others"] if len(most) > _SHOWN else rows
