"""The pages that a run of a program saw, kept to run it again without the web.

    NAME.fixtures/run-7/program.yaml, about.json     what ran
    NAME.fixtures/run-7/*.warc.gz, index.jsonl       answers, and to what they were given

The last few runs are kept, each up to a size. What a user typed as a secret is not: request bodies
are known by a hash in which secrets are blanks, as they are in addresses; cookies and credentials
are left out.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter, defaultdict
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

from webgeist.capture.exchange import Body
from webgeist.capture.recorder.replay import StoredAnswer
from webgeist.errors import DamagedError, NotFoundError, writing
from webgeist.repository.archive import ArchiveReader, ArchiveWriter, Original, RecordPlace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from webgeist.capture.exchange import Exchange, Headers

RUNS = 3  # that are kept
MOST_BYTES = 200_000_000  # of answers of a run
_ABOUT, _INDEX, _PROGRAM = "about.json", "index.jsonl", "program.yaml"
_SECRET_HEADERS = frozenset({b"cookie", b"referer", b"authorization", b"proxy-authorization"})
_BLANK = b"***"


@dataclass(frozen=True)
class About:
    """Which run it was, and when it began."""

    program: str
    run: int
    started: float


class Keeping:
    """Writes the answers that a run gets."""

    def __init__(self, folder: Path, about: About, text: str, secrets: Iterable[str] = ()) -> None:
        self.folder = folder / f"run-{about.run}"
        with writing(folder):
            self.folder.mkdir(parents=True, mode=0o700)
            (self.folder / _ABOUT).write_text(json.dumps(asdict(about)), "utf-8")
            (self.folder / _PROGRAM).write_text(text, "utf-8")
        self._originals: dict[str, Original] = {}
        self._lengths: dict[str, int] = {}
        self._writer = ArchiveWriter(self.folder, self._originals.get, lambda: self._lengths)
        self._secrets = tuple(secrets)
        self._bytes = 0
        forget(folder, RUNS)

    def keep(self, exchanges: Iterable[Exchange]) -> None:
        """Write them, and close them."""
        lines = []
        for exchange in exchanges:
            if exchange.status is not None and not exchange.truncated and self._has_room(exchange):
                lines.append(self._kept(exchange))
            exchange.close()
        if lines:
            self._lengths |= self._writer.commit()
            with writing(self.folder), (self.folder / _INDEX).open("a", encoding="utf-8") as file:
                file.writelines(json.dumps(line) + "\n" for line in lines)

    def _has_room(self, exchange: Exchange) -> bool:
        self._bytes += exchange.body.size
        return self._bytes <= MOST_BYTES

    def _kept(self, exchange: Exchange) -> dict[str, object]:
        asked = hashed(exchange.request_body.read(), self._secrets)
        url = blanked(exchange.url.encode(), self._secrets).decode()
        stripped = replace(without_secrets(exchange), url=url)
        try:
            kept = self._writer.append(stripped, self.folder.name)
        finally:
            stripped.request_body.close()
        if kept.original is not None:
            self._originals[kept.sha256] = kept.original
        answer = asdict(kept.answer) if kept.answer else None
        return {"method": exchange.method, "url": url, "asked": asked, "answer": answer}

    def close(self) -> None:
        self._writer.close()


def without_secrets(exchange: Exchange) -> Exchange:
    """The exchange without credentials, without what was sent, and without cookies that scripts
    cannot see.
    """
    return replace(
        exchange,
        request_headers=_kept_headers(exchange.request_headers),
        request_body=Body(),
        response_headers=tuple(
            (name, value)
            for name, value in exchange.response_headers
            if name.lower() != b"set-cookie" or b"httponly" not in value.lower()
        ),
    )


def _kept_headers(headers: Headers) -> Headers:
    return tuple(each for each in headers if each[0].lower() not in _SECRET_HEADERS)


def hashed(body: bytes, secrets: Iterable[str]) -> str:
    """A short name for what a request said; the same whatever the secrets are."""
    return hashlib.sha256(blanked(body, secrets)).hexdigest()[:16]


def blanked(said: bytes, secrets: Iterable[str]) -> bytes:
    """With a blank for each secret, in the forms that browsers send."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        for form in (quote_plus(secret), quote(secret), json.dumps(secret)[1:-1], secret):
            said = said.replace(form.encode(), _BLANK)
    return said


def forget(folder: Path, most: int) -> None:
    """Keep only the newest runs."""
    for number in kept_runs(folder)[:-most]:
        shutil.rmtree(folder / f"run-{number}")


def kept_runs(folder: Path) -> list[int]:
    """The numbers of the runs whose pages are there, oldest first."""
    names = (each.name.removeprefix("run-") for each in folder.glob("run-*"))
    return sorted(int(name) for name in names if name.isdecimal())


class Kept:
    """What was kept of a run, to be answered from. NotFoundError where there is nothing."""

    def __init__(self, folder: Path, run: int, secrets: Iterable[str] = ()) -> None:
        self._folder = folder / f"run-{run}"
        try:
            self.about = About(**json.loads((self._folder / _ABOUT).read_text("utf-8")))
            self.program = (self._folder / _PROGRAM).read_text("utf-8")
        except (OSError, ValueError, TypeError) as error:
            raise NotFoundError(
                f"{self._folder} has no pages of a run",
                remedy="webgeist scrape run PROGRAM keeps the pages that it sees",
            ) from error
        self._secrets = tuple(secrets)
        self._reader = ArchiveReader(self._folder)
        self._by_body: dict[tuple[str, str, str], list[RecordPlace]] = defaultdict(list)
        self._by_turn: dict[tuple[str, str], list[RecordPlace]] = defaultdict(list)
        self._asked: Counter[tuple[str, str, str]] = Counter()
        self.missing: Counter[str] = Counter()
        for method, url, asked, place in self._lines():
            self._by_body[method, url, asked].append(place)
            self._by_turn[method, url].append(place)

    def _lines(self) -> Iterator[tuple[str, str, str, RecordPlace]]:
        path = self._folder / _INDEX
        if not path.exists():
            return
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            try:
                found = json.loads(line)
                if found["answer"]:
                    place = RecordPlace(**found["answer"])
                    yield found["method"], found["url"], found["asked"], place
            except (ValueError, KeyError, TypeError) as error:
                raise DamagedError(f"{path}, line {number} is damaged") from error

    def __len__(self) -> int:
        return sum(map(len, self._by_turn.values()))

    def by_body(self, method: str, url: str, body: bytes) -> StoredAnswer | None:
        """What was answered to the same words; to the same for the nth time, the nth answer."""
        key = method, self._blanked(url), hashed(body, self._secrets)
        turns = self._by_body.get(key)
        if not turns:
            return None
        nth, self._asked[key] = self._asked[key], self._asked[key] + 1
        return self._answer(turns[min(nth, len(turns) - 1)])

    def by_turn(self, method: str, url: str, nth: int) -> StoredAnswer | None:
        """What was answered at this turn to whoever asked for this address."""
        if method == "CONNECT":
            return None
        turns = self._by_turn.get((method, self._blanked(url)))
        if not turns:
            self.missing[f"{method} {url}"] += 1
            return None
        return self._answer(turns[min(nth, len(turns) - 1)])

    def _blanked(self, url: str) -> str:
        return blanked(url.encode(), self._secrets).decode()

    def _answer(self, place: RecordPlace) -> StoredAnswer:
        found = self._reader.answer(place)
        return StoredAnswer(found.status, found.reason, found.headers, found.body)
