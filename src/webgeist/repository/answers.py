"""What the archive answers in the place of the servers that one capture talked to."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from webgeist.capture.recorder.browser import BrowserRecorder
from webgeist.capture.recorder.replay import LostError, SilenceError, StoredAnswer
from webgeist.capture.recorder.upstream import OriginError
from webgeist.errors import NotFoundError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.stored import StoredParts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from webgeist.capture.exchange import Headers
    from webgeist.capture.model import Capture
    from webgeist.repository.archive import StoredAnswer as Answer
    from webgeist.repository.repository import Repository

Key = tuple[str, str]  # method and address

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_NOT_MODIFIED = 304
_LENGTH = re.compile(rb"[0-9]{1,18}")
_OURS = frozenset({"length", "unspecified"})  # the page may have got what was not kept


@dataclass(frozen=True)
class _Turn:
    """One of the times that the capture asked for something. `answer` is None where none came.

    It was `cut` where not all of its body came. A body may also just not be known to the recorder,
    as of redirects that Chromium recorded; that is none.
    """

    answer: RecordPlace | None
    request: RecordPlace
    notes: RecordPlace
    cut: bool
    error: str


class StoredAnswers:
    """The answers that one capture got, by method, address and turn; a `Lookup` for `Replay`.

    What got no answer then gets none now, for the same reason: the OriginError of then, a LostError
    where no proxy told it to Chromium (`direct`), or SilenceError where no reason is known but that
    the page left or was taken. Who asks more often than the capture did gets the last answer again,
    where asking twice is harmless (GET) and it was not cut. Threads may ask at once.
    """

    def __init__(
        self, rows: Iterable[Mapping[str, Any]], reader: ArchiveReader, *, direct: bool = False
    ) -> None:
        self._reader = reader
        self._failure = LostError if direct else OriginError
        self._turns: dict[Key, list[_Turn]] = defaultdict(list)
        rows = sorted(rows, key=lambda row: int(row["exchange"]))
        whole = {_key(row) for row in rows if row["status"] not in (None, _NOT_MODIFIED)}
        for row in rows:
            # Who has nothing in a cache is not told that it still holds, but what it was.
            if row["status"] != _NOT_MODIFIED or _key(row) not in whole:
                self._turns[_key(row)].append(_turn(row))
        self._turns.default_factory = None

    def __call__(self, method: str, url: str, nth: int) -> StoredAnswer | None:
        turn = self._turn(method, url, nth)
        if turn is None:
            return None
        if turn.answer is None:
            raise self._ending(turn)
        found = self._reader.answer(turn.answer)
        body = _CutBody(found, self._ending(turn)) if turn.cut else found.body
        return StoredAnswer(found.status, found.reason, found.headers, body)

    def _ending(self, turn: _Turn) -> OriginError | SilenceError:
        """Why no more came."""
        notes = self._reader.notes(turn.notes)
        if notes.cause:
            return self._failure(notes.cause, notes.error, notes.tls)
        if notes.truncated in _OURS:
            return OriginError("http_response_incomplete", "no more of it is stored")
        return SilenceError(notes.error)

    def _turn(self, method: str, url: str, nth: int) -> _Turn | None:
        turns = self._turns.get((method, url), [])
        if nth < len(turns):
            return turns[nth]
        again = turns and method in _SAFE and not turns[-1].cut
        return turns[-1] if again else None

    @property
    def stored(self) -> Counter[Key]:
        """How many answers there are for each."""
        return Counter(
            {key: sum(turn.answer is not None for turn in turns) for key, turns in self._each()}
        )

    @property
    def unanswered(self) -> dict[Key, str]:
        """What the capture asked for in vain, with the reason of that time."""
        return {
            key: turn.error for key, turns in self._each() for turn in turns if turn.answer is None
        }

    def user_agent(self) -> str | None:
        """What the capture's browser called itself when it first asked for something."""
        for (method, _), turns in self._each():
            if method in _SAFE:
                headers = self._reader.request(turns[0].request).headers
                said = {name.lower(): value for name, value in headers}
                if b"user-agent" in said:
                    return said[b"user-agent"].decode("latin-1")
        return None

    def _each(self) -> Iterable[tuple[Key, list[_Turn]]]:
        return self._turns.items()


def _key(row: Mapping[str, Any]) -> Key:
    """No request gets to who is not trusted. What Chromium recorded names one all the same."""
    if row["tls_problem"]:
        return "CONNECT", urljoin(row["url"], "/")
    return row["method"], row["url"]


def _turn(row: Mapping[str, Any]) -> _Turn:
    answer = row["answer"]
    return _Turn(
        answer=RecordPlace(**answer) if answer else None,
        request=RecordPlace(**row["request"]),
        notes=RecordPlace(**row["notes"]),
        cut=bool(row["truncated"]) and (row["bytes"] > 0 or row["truncated"] not in _OURS),
        error=row["refused"] or row["error"] or "",
    )


class _CutBody:
    """A body that was not whole is not whole again: it ends, or pauses, after what is stored."""

    def __init__(self, answer: Answer, ending: OriginError | SilenceError) -> None:
        self._stored = answer.body
        self._ending = ending
        self.size = max(answer.body.size + 1, _promised(answer.headers))

    def chunks(self) -> Iterator[bytes]:
        yield from self._stored.chunks()
        raise self._ending


def _promised(headers: Headers) -> int:
    """The length that an answer said it would have."""
    said = (text for name, text in headers if name.lower() == b"content-length")
    return max((int(text) for text in said if _LENGTH.fullmatch(text)), default=0)


def stored_answers(repository: Repository, capture_id: str) -> StoredAnswers:
    """What the archive can answer for one capture, published or not.

    NotFoundError where there is no such capture, or nothing was recorded with it.
    """
    return answers_of(repository.capture(capture_id), repository)


def answers_of(capture: Capture, repository: Repository) -> StoredAnswers:
    """The same for a capture that was read from the repository."""
    parts = capture.parts
    if not isinstance(parts, StoredParts):
        raise TypeError("this capture comes from no repository")
    rows = parts.tables.rows("resources", parts.id_).to_pylist()
    direct = capture.info.recorder == BrowserRecorder.form
    answers = StoredAnswers(rows, ArchiveReader(repository.layout.archive), direct=direct)
    if not answers.stored.total():
        raise NotFoundError(
            f"nothing was answered to capture {parts.id_}, so nothing can be shown again",
            remedy="webgeist capture --repo records what pages are sent",
        )
    return answers
