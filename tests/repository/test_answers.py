"""What the archive answers for one capture: exactly what that capture was answered."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.repository.making import NOON, make_capture, new_repository

from webgeist.capture.exchange import Body, Exchange, Tls
from webgeist.capture.recorder.replay import SilenceError
from webgeist.capture.recorder.upstream import OriginError
from webgeist.errors import DamagedError, NotFoundError
from webgeist.repository.answers import answers_of, stored_answers

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from webgeist.capture.exchange import Headers
    from webgeist.capture.model import Capture
    from webgeist.capture.recorder.replay import StoredAnswer
    from webgeist.repository.answers import StoredAnswers
    from webgeist.repository.repository import Repository

PAGE = "http://example.org/page"
AGENT: Headers = ((b"Host", b"example.org"), (b"User-Agent", b"Geist/1"))


def exchange(
    number: int,
    body: bytes | None = b"body",
    *,
    method: str = "GET",
    url: str = PAGE,
    headers: Headers = (),
) -> Exchange:
    """An exchange; without a body there was no answer."""
    kept = Body()
    kept.write(body or b"")
    answered = body is not None
    return Exchange(
        number=number,
        method=method,
        url=url,
        version="HTTP/1.1",
        request_headers=AGENT,
        request_body=Body(),
        started=NOON,
        seconds=0.1,
        status=200 if answered else None,
        reason="Fine" if answered else "",
        response_headers=headers,
        body=kept,
        error="" if answered else "it refused the connection",
        cause="" if answered else "connection_refused",
    )


@pytest.fixture(params=["staged", "published"])
def repository(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Repository]:
    """One that publishes what it is given, or not; captures of another page are in it, too."""
    with new_repository(tmp_path / "r") as opened:
        add(opened, make_capture(99), exchange(0, b"another capture's"))
        yield opened


def add(repository: Repository, capture: Capture, *exchanges: Exchange) -> str:
    id_ = repository.add(capture, exchanges)
    for each in exchanges:
        each.close()
    return id_


def kept(
    repository: Repository, request: pytest.FixtureRequest, *exchanges: Exchange, number: int = 1
) -> StoredAnswers:
    id_ = add(repository, make_capture(number), *exchanges)
    if "published" in request.node.name:
        repository.publish()
    return stored_answers(repository, id_)


def body_of(answer: StoredAnswer | None) -> bytes | None:
    return b"".join(answer.body.chunks()) if answer else None


def test_each_turn_gets_its_own_answer(
    repository: Repository, request: pytest.FixtureRequest
) -> None:
    answers = kept(
        repository,
        request,
        exchange(2, b"third"),
        exchange(0, b"first"),
        exchange(3, b"posted", method="POST"),
        exchange(1, None),
    )
    found = [body_of(answers("GET", PAGE, nth)) for nth in (0, 2, 3)]
    assert found == [b"first", b"third", b"third"]
    with pytest.raises(OriginError, match="it refused the connection"):
        answers("GET", PAGE, 1)
    assert [body_of(answers("POST", PAGE, nth)) for nth in range(2)] == [b"posted", None]
    assert answers("HEAD", PAGE, 0) is None
    assert answers("GET", f"{PAGE}?", 0) is None
    assert answers.stored == {("GET", PAGE): 2, ("POST", PAGE): 1}
    assert answers.unanswered == {("GET", PAGE): "it refused the connection"}
    assert answers.user_agent() == "Geist/1"


def test_heads_and_codings_are_as_they_were_sent(
    repository: Repository, request: pytest.FixtureRequest
) -> None:
    packed = gzip.compress(b"words")
    headers = ((b"Content-Encoding", b"gzip"), (b"Transfer-Encoding", b"chunked"), (b"X", b"y"))
    found = kept(repository, request, exchange(0, packed, headers=headers))("GET", PAGE, 0)
    assert found
    assert (found.status, found.reason, found.headers) == (200, "Fine", headers)
    assert (body_of(found), found.body.size) == (packed, len(packed))


def test_a_revisit_has_the_body_of_its_original(
    repository: Repository, request: pytest.FixtureRequest
) -> None:
    body = b"the same" * 50_000
    kept(repository, request, exchange(0, body))
    headers = ((b"X", b"of the second"),)
    found = kept(repository, request, exchange(0, body, headers=headers), number=2)("GET", PAGE, 0)
    assert found
    assert (found.headers, body_of(found)) == (headers, body)
    assert len(list(found.body.chunks())) > 1, "never whole in memory"


def test_what_failed_fails_for_the_same_reason(
    repository: Repository, request: pytest.FixtureRequest
) -> None:
    refused = replace(
        exchange(1, None), refused="no public address", cause="destination_ip_prohibited"
    )
    answers = kept(repository, request, exchange(0, url=f"{PAGE}/0"), refused)
    for nth in range(2):
        with pytest.raises(OriginError) as failure:
            answers("GET", PAGE, nth)
        assert failure.value.cause == "destination_ip_prohibited"
        assert failure.value.refused


@pytest.mark.parametrize("method", ["CONNECT", "GET"])
def test_who_was_not_trusted_is_told_by_the_connection(
    repository: Repository, request: pytest.FixtureRequest, method: str
) -> None:
    """The proxy records the connection, Chromium the request that it could not send."""
    tls = Tls("self-signed", "", "", "", "")
    url = "https://bad.example/" + ("" if method == "CONNECT" else "picture")
    failed = exchange(1, None, method=method, url=url)
    failed = replace(failed, tls=tls, cause="tls_certificate_error")
    answers = kept(repository, request, exchange(0), failed)
    with pytest.raises(OriginError) as failure:
        answers("CONNECT", "https://bad.example/", 0)
    assert (failure.value.tls, failure.value.cause) == (tls, "tls_certificate_error")
    assert answers("CONNECT", "https://good.example/", 0) is None
    assert answers.unanswered == {("CONNECT", "https://bad.example/"): failed.error}


@pytest.mark.parametrize(
    ("truncated", "cause", "ending"),
    [
        ("disconnect", "http_response_incomplete", OriginError("", "of then")),
        ("length", "http_response_body_size", OriginError("", "of then")),
        ("length", "", OriginError("", "no more of it is stored")),  # by Chromium: the page got it
        ("disconnect", "", SilenceError("of then")),  # the page broke it off
        ("time", "", SilenceError("of then")),
    ],
)
def test_what_was_broken_off_is_broken_off_again(
    repository: Repository,
    request: pytest.FixtureRequest,
    truncated: str,
    cause: str,
    ending: Exception,
) -> None:
    cut = replace(exchange(0, b"half"), truncated=truncated, cause=cause, error="of then")
    answers = kept(repository, request, cut)
    found = answers("GET", PAGE, 0)
    assert found
    assert found.body.size > len(b"half")
    chunks = iter(found.body.chunks())
    assert next(chunks) == b"half"
    with pytest.raises(type(ending), match=str(ending)):
        next(chunks)
    assert answers("GET", PAGE, 1) is None, "no second half of a first"


@pytest.mark.parametrize(
    ("said", "size"), [(b"1000", 1000), (b"1", 5), (b"many", 5), (b"9" * 5_000, 5)]
)
def test_what_was_broken_off_is_as_long_as_it_was_to_be(
    repository: Repository, request: pytest.FixtureRequest, said: bytes, size: int
) -> None:
    headers = ((b"content-length", said),)
    cut = replace(exchange(0, b"half", headers=headers), truncated="disconnect", error="of then")
    found = kept(repository, request, cut)("GET", PAGE, 0)
    assert found
    assert found.body.size == size


def test_who_waited_in_vain_waits_again(
    repository: Repository, request: pytest.FixtureRequest
) -> None:
    silent = replace(exchange(0, None), cause="", error="the page's time was up")
    opened = replace(exchange(1, b"", url=f"{PAGE}/stream"), truncated="time", error="time was up")
    answers = kept(repository, request, silent, opened)
    with pytest.raises(SilenceError):
        answers("GET", PAGE, 0)
    found = answers("GET", f"{PAGE}/stream", 0)
    with pytest.raises(SilenceError):
        body_of(found)


def test_a_body_that_is_not_known_is_empty_and_whole(
    repository: Repository, request: pytest.FixtureRequest
) -> None:
    redirect = replace(exchange(0, b""), status=302, truncated="unspecified")
    answers = kept(repository, request, redirect)
    for nth in range(2):
        found = answers("GET", PAGE, nth)
        assert found
        assert (found.status, found.body.size, body_of(found)) == (302, 0, b"")


def test_threads_may_ask_at_once(repository: Repository, request: pytest.FixtureRequest) -> None:
    exchanges = [exchange(n, b"%d" % n * 9_999, url=f"{PAGE}/{n}") for n in range(20)]
    answers = kept(repository, request, *exchanges)
    with ThreadPoolExecutor(8) as threads:
        found = list(
            threads.map(lambda n: body_of(answers("GET", f"{PAGE}/{n}", 0)), [*range(20)] * 3)
        )
    assert found == [b"%d" % n * 9_999 for n in range(20)] * 3


def test_a_damaged_archive_is_told(repository: Repository, request: pytest.FixtureRequest) -> None:
    answers = kept(repository, request, exchange(0, b"words" * 1000))
    for path in repository.layout.archive.glob("*.warc.gz"):
        path.write_bytes(b"\0" * path.stat().st_size)
    with pytest.raises(DamagedError):
        answers("GET", PAGE, 0)


def test_a_capture_without_answers(repository: Repository, request: pytest.FixtureRequest) -> None:
    with pytest.raises(NotFoundError, match="nothing was answered"):
        kept(repository, request, exchange(0, None))
    with pytest.raises(NotFoundError, match="there is no capture"):
        stored_answers(repository, "0" * 26)
    with pytest.raises(TypeError, match="no repository"):
        answers_of(make_capture(1), repository)
