"""Watching a page with a stand-in for Chromium: what does not happen with a real one at will."""

from __future__ import annotations

import asyncio
import base64
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture.cdp import CommandError, CommandTimeoutError
from webgeist.capture.recorder.watch import Watch
from webgeist.errors import BrowserError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.conftest import SettingsMaker

    Listener = Callable[[str, dict[str, Any]], None]

TEXT = "Grüße"


class Target:
    """Answers commands with what it is given; raises what is an exception."""

    def __init__(self, **answers: dict[str, Any] | Exception | asyncio.Future[Any]) -> None:
        self.answers = {f"Network.{name}": answer for name, answer in answers.items()}
        self.posted: list[str] = []
        self.tell: Listener = lambda _method, _params: None

    async def send(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float | None = None
    ) -> dict[str, Any]:
        answer = self.answers.get(method, {})
        if isinstance(answer, Exception):
            raise answer
        return await answer if isinstance(answer, asyncio.Future) else answer

    def post(self, method: str, params: dict[str, Any] | None = None) -> None:
        self.posted.append(method)

    def listen(self, listener: Listener) -> None:
        self.tell = listener

    def ask(self, *, size: int, wired: bool = False, **request: Any) -> None:
        """One request with an answer of `size` bytes, from beginning to end."""
        sent = {"url": "http://h/", "method": "GET", "headers": {}} | request
        about = {"requestId": "1", "timestamp": 1.0}
        self.tell("Network.requestWillBeSent", {**about, "request": sent, "wallTime": 1.0})
        response = {"status": 200, "headers": {}}
        received = {**about, "response": response, "hasExtraInfo": wired}
        self.tell("Network.responseReceived", received)
        self.tell("Network.dataReceived", {**about, "dataLength": size})
        self.tell("Network.loadingFinished", about)


@pytest.fixture
async def watch(make_settings: SettingsMaker) -> AsyncIterator[Watch]:
    watch = Watch(make_settings())
    yield watch
    watch.close()


async def recorded(watch: Watch) -> tuple[bytes, bytes, str, str]:
    await watch.end()
    (exchange,) = watch.exchanges([])
    exchange.close()
    body, sent = exchange.body, exchange.request_body
    return body.read() if body.size else b"", sent.read(), exchange.truncated, exchange.error


def body_of(text: str, *, coded: bool = False) -> dict[str, Any]:
    given = base64.b64encode(text.encode("latin-1")).decode() if coded else text
    return {"body": given, "base64Encoded": coded}


async def test_a_target_is_told_what_to_keep_before_it_may_run(watch: Watch) -> None:
    target = Target()
    watch.attend(target)
    assert target.posted == ["Network.configureDurableMessages", "Network.enable"]
    await watch.end()


async def test_a_chromium_that_keeps_no_bodies_is_refused(watch: Watch) -> None:
    watch.attend(Target(configureDurableMessages=CommandError("wasn't found")))
    with pytest.raises(BrowserError, match="cannot record by itself") as caught:
        await watch.end()
    assert "recorder.form" in (caught.value.remedy or "")


@pytest.mark.parametrize("silence", [CommandTimeoutError("late"), BrowserError("died")])
async def test_a_chromium_that_is_silent_is_the_pages_failure(
    watch: Watch, silence: Exception
) -> None:
    watch.attend(Target(configureDurableMessages=silence))
    await watch.end()
    assert watch.exchanges([]) == []


@pytest.mark.parametrize(
    ("given", "size", "expected"),
    [
        (body_of(TEXT), 7, (TEXT.encode(), b"", "", "")),
        (body_of(TEXT, coded=True), 5, (TEXT.encode("latin-1"), b"", "", "")),
        (body_of(TEXT), 5, (b"", b"", "unspecified", "")),  # it was not UTF-8 on the wire
        (body_of("", coded=True), 0, (b"", b"", "unspecified", "")),  # it was not kept
        (body_of("part", coded=True), 5, (b"", b"", "unspecified", "")),
        (body_of(""), 0, (b"", b"", "", "")),
        (CommandError("no data"), 5, (b"", b"", "unspecified", "")),
        (CommandTimeoutError("late"), 5, (b"", b"", "unspecified", "")),
        (BrowserError("died"), 5, (b"", b"", "unspecified", "")),
        (body_of("never asked for"), 40_000_000, (b"", b"", "length", "")),
    ],
)
async def test_bodies(
    watch: Watch,
    given: dict[str, Any] | Exception,
    size: int,
    expected: tuple[bytes, bytes, str, str],
) -> None:
    target = Target(getResponseBody=given)
    watch.attend(target)
    target.ask(size=size)
    assert await recorded(watch) == expected


async def test_bodies_of_requests_that_are_not_told_are_asked_for(watch: Watch) -> None:
    posted = {"postData": base64.b64encode(b"\0\xff").decode(), "base64Encoded": True}
    target = Target(getResponseBody=body_of("x"), getRequestPostData=posted)
    watch.attend(target)
    target.ask(size=1, hasPostData=True)
    assert await recorded(watch) == (b"x", b"\0\xff", "", "")


async def test_bodies_of_requests_that_are_not_to_be_had(watch: Watch) -> None:
    target = Target(getResponseBody=body_of("x"), getRequestPostData=CommandError("none"))
    watch.attend(target)
    target.ask(size=1, hasPostData=True)
    body, sent, truncated, error = await recorded(watch)
    assert (body, sent, truncated) == (b"x", b"", "")
    assert error == "Chromium does not tell the request's body"


async def test_the_end_does_not_wait_long_for_a_body(
    watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("webgeist.capture.recorder.watch._LAST_SECONDS", 0.01)
    never: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    target = Target(getResponseBody=never)
    watch.attend(target)
    target.ask(size=5)
    assert await recorded(watch) == (b"", b"", "unspecified", "")
    assert never.cancelled()


async def test_the_end_waits_for_word_from_the_wire(watch: Watch) -> None:
    target = Target(getResponseBody=body_of("x"))
    watch.attend(target)
    target.ask(size=1, wired=True)
    ending = asyncio.create_task(recorded(watch))
    await asyncio.sleep(0)
    told = {"requestId": "1", "statusCode": 200, "headers": {"content-length": "9"}}
    target.tell("Network.responseReceivedExtraInfo", told)
    assert await ending == (b"x", b"", "", "")


async def test_what_comes_after_the_end_does_not_count(watch: Watch) -> None:
    target = Target(getResponseBody=body_of("x"))
    watch.attend(target)
    await watch.end()
    target.ask(size=1)
    assert watch.exchanges([]) == []
