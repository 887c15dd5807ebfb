"""Whether a page is still being sent something, by what Playwright tells of its requests."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from webgeist.capture.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class FakePage:
    """Tells what it is told to."""

    main_frame: object = field(default_factory=object)
    listeners: dict[str, list[Callable[[Any], None]]] = field(default_factory=dict)

    def on(self, event: str, hear: Callable[[Any], None]) -> None:
        self.listeners.setdefault(event, []).append(hear)

    def remove_listener(self, event: str, hear: Callable[[Any], None]) -> None:
        self.listeners[event].remove(hear)

    def tell(self, event: str, what: object) -> None:
        for hear in self.listeners[event]:
            hear(what)


@dataclass
class Answer:
    request: Any
    frame: object
    status: int


class Request:
    @staticmethod
    def is_navigation_request() -> bool:
        return True


@dataclass
class Watch:
    now: float = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    made = Watch()
    monkeypatch.setattr("webgeist.capture.traffic.time.monotonic", made)
    return made


def is_calm(traffic: Traffic) -> bool:
    return traffic.calm  # asked anew each time, which a type checker does not expect


def test_all_is_calm_a_moment_after_the_last_answer(watch: Watch) -> None:
    page: Any = FakePage()
    traffic, request = Traffic(page), Request()
    assert not is_calm(traffic)
    watch.now += 1
    assert is_calm(traffic)
    page.tell("request", request)
    watch.now += 1
    assert not is_calm(traffic)
    page.tell("requestfinished", request)
    assert not is_calm(traffic)
    watch.now += 1
    assert is_calm(traffic)


def test_what_stays_open_for_long_is_not_waited_for(watch: Watch) -> None:
    page: Any = FakePage()
    traffic = Traffic(page)
    page.tell("request", Request())
    watch.now += 4
    assert not is_calm(traffic)
    watch.now += 2
    assert is_calm(traffic)


def test_the_status_is_that_of_the_page_and_not_of_a_frame(watch: Watch) -> None:
    page: Any = FakePage()
    traffic = Traffic(page)
    page.tell("response", Answer(Request(), object(), 500))
    assert traffic.status is None
    page.tell("response", Answer(Request(), page.main_frame, 404))
    assert traffic.status == 404


def test_nothing_is_heard_after_the_end(watch: Watch) -> None:
    page: Any = FakePage()
    traffic = Traffic(page)
    traffic.stop()
    assert not any(page.listeners.values())
