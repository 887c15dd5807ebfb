"""What is recorded of one page: exchanges that are under way, and those that are done."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.capture.exchange import Body, Exchange, Spool

if TYPE_CHECKING:
    from webgeist.capture.exchange import Tls
    from webgeist.capture.recorder.heads import RequestHead, ResponseHead
    from webgeist.capture.recorder.upstream import OriginError

# WARC's words for why a body is not whole, by our causes; others are a lost connection.
_TRUNCATED = {
    "connection_read_timeout": "time",
    "http_protocol_error": "unspecified",
    "http_response_body_size": "length",
    "http_response_trailer_section_size": "length",
}


@dataclass
class Draft:
    """An exchange while it is under way. Each field means what it means in Exchange."""

    number: int
    nth: int  # how often the page had asked for the same before
    request: RequestHead | None
    request_body: Body
    body: Body
    most: int  # bytes of a body
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    began: float = field(default_factory=time.monotonic)
    answer: ResponseHead | None = None
    whole: bool = False  # the answer has come to its end
    truncated: str = ""
    error: str = ""
    refused: str = ""
    cause: str = ""
    address: str | None = None
    tls: Tls | None = None

    def keep(self, body: Body, data: bytes) -> bytes:
        """Write to one of the two bodies. What of `data` still had room in it."""
        kept = data[: self.most - body.size]
        body.write(kept)
        return kept

    def fail(self, cause: str, sentence: str, truncated: str = "") -> None:
        """Why there is no whole answer. An answer that is whole stays so, whatever comes after."""
        if self.whole or self.error:
            return
        self.cause, self.error = cause, sentence
        if self.answer is not None:
            self.truncated = truncated or _TRUNCATED.get(cause, "disconnect")

    def fail_by(self, error: OriginError) -> None:
        self.fail(error.cause, str(error))
        self.refused = str(error) if error.refused else ""
        self.tls = error.tls or self.tls

    def finished(self) -> Exchange:
        request, answer = self.request, self.answer
        return Exchange(
            number=self.number,
            method=request.method if request else "",
            url=request.url if request else "",
            version=answer.version if answer else "HTTP/1.1",
            request_headers=request.headers if request else (),
            request_body=self.request_body,
            started=self.started,
            seconds=time.monotonic() - self.began,
            status=answer.status if answer else None,
            reason=answer.reason if answer else "",
            response_headers=answer.headers if answer else (),
            body=self.body,
            truncated=self.truncated,
            error=self.error,
            refused=self.refused,
            cause=self.cause,
            address=self.address,
            tls=self.tls,
        )


class Recording:
    """The exchanges of one page, in the order in which they were asked for."""

    def __init__(self, most_exchanges: int, most_bytes: int) -> None:
        self._exchanges: list[Exchange] = []
        self._spool = Spool().open()
        self._begun = 0
        self._asked: Counter[tuple[str, str]] = Counter()
        self._most_exchanges = most_exchanges
        self._most_bytes = most_bytes
        self.failure: BaseException | None = None

    @property
    def full(self) -> bool:
        return self._begun >= self._most_exchanges

    def draft(self, request: RequestHead | None) -> Draft:
        number, self._begun = self._begun, self._begun + 1
        same = (request.method, request.url) if request else ("", "")
        self._asked[same] += 1
        bodies = Body(self._spool), Body(self._spool)
        return Draft(number, self._asked[same] - 1, request, *bodies, self._most_bytes)

    def add(self, draft: Draft) -> None:
        self._exchanges.append(draft.finished())

    def drain(self) -> list[Exchange]:
        """What is done so far, for the caller to close; what is under way goes on."""
        taken, self._exchanges = self._exchanges, []
        self._spool.close()
        self._spool = Spool().open()
        self._begun -= len(taken)
        return taken

    def close(self) -> list[Exchange]:
        """No more will come. The caller closes the exchanges."""
        self._spool.close()
        if self.failure is not None:
            for exchange in self._exchanges:
                exchange.close()
            raise self.failure
        return sorted(self._exchanges, key=lambda exchange: exchange.number)
