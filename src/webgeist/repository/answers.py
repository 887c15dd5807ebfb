"""What the archive answers in the place of the servers that one capture talked to."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from webgeist.capture.recorder.replay import StoredAnswer
from webgeist.capture.recorder.upstream import OriginError
from webgeist.errors import NotFoundError
from webgeist.repository.archive import ArchiveReader, RecordPlace
from webgeist.repository.stored import StoredParts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from webgeist.capture.model import Capture
    from webgeist.repository.archive import StoredBody
    from webgeist.repository.repository import Repository

Key = tuple[str, str]  # method and address

_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})


@dataclass(frozen=True)
class _Turn:
    """One of the times that the capture asked for something. `answer` is None where none came.

    It was `cut` where a part of its body came and then no more. Without any part the recorder may
    just not know the body, as of redirects that Chromium recorded.
    """

    answer: RecordPlace | None
    request: RecordPlace
    cut: bool
    error: str


class StoredAnswers:
    """The answers that one capture got, by method, address and turn; a `Lookup` for `Replay`.

    What got no answer then gets none now. Who asks more often than the capture did gets the last
    answer again, where asking twice is harmless (GET) and it was not cut. Threads may ask at once.
    """

    def __init__(self, rows: Iterable[Mapping[str, Any]], reader: ArchiveReader) -> None:
        self._reader = reader
        self._turns: dict[Key, list[_Turn]] = defaultdict(list)
        for row in sorted(rows, key=lambda row: int(row["exchange"])):
            self._turns[row["method"], row["url"]].append(_turn(row))
        self._turns.default_factory = None

    def __call__(self, method: str, url: str, nth: int) -> StoredAnswer | None:
        turn = self._turn(method, url, nth)
        if turn is None or turn.answer is None:
            return None
        found = self._reader.answer(turn.answer)
        return StoredAnswer(
            found.status, found.reason, found.headers, _Body(found.body, cut=turn.cut)
        )

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


def _turn(row: Mapping[str, Any]) -> _Turn:
    answer = row["answer"]
    return _Turn(
        answer=RecordPlace(**answer) if answer else None,
        request=RecordPlace(**row["request"]),
        cut=bool(row["truncated"]) and row["bytes"] > 0,
        error=row["refused"] or row["error"] or "",
    )


class _Body:
    """A stored body; one that was broken off then is broken off again, one byte before its end."""

    def __init__(self, stored: StoredBody, *, cut: bool) -> None:
        self._stored = stored
        self._cut = cut
        self.size = stored.size + cut

    def chunks(self) -> Iterator[bytes]:
        yield from self._stored.chunks()
        if self._cut:
            raise OriginError("http_response_incomplete", "it was broken off then, too")


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
    answers = StoredAnswers(rows, ArchiveReader(repository.layout.archive))
    if not answers.stored.total():
        raise NotFoundError(
            f"nothing was answered to capture {parts.id_}, so nothing can be shown again",
            remedy="webgeist capture --repo records what pages are sent",
        )
    return answers
