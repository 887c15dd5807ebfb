"""Shows stored captures again, from the archive alone: nothing is dialled."""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import AsyncExitStack
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webgeist.capture.camera import Camera
from webgeist.capture.metric_files import read_metrics
from webgeist.capture.recorder.authority import Authority
from webgeist.capture.recorder.certificates import ca
from webgeist.capture.recorder.replay import Replay
from webgeist.capture.target import Target
from webgeist.closing import Closing
from webgeist.repository.answers import answers_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webgeist.capture.exchange import Exchange
    from webgeist.capture.info import CaptureInfo
    from webgeist.capture.model import Capture
    from webgeist.capture.recorder.replay import Lookup, StoredAnswer
    from webgeist.capture.recorder.slot import ProxySlot
    from webgeist.repository.answers import StoredAnswers
    from webgeist.repository.repository import Repository
    from webgeist.settings import Settings

NOT_STORED = "destination_not_found"  # the cause by which `Replay` marks what it does not know

# Whose answers a slot gives is decided where a page begins, in the task that replays it.
_PLAYED: ContextVar[Lookup] = ContextVar("webgeist_played")


@dataclass(frozen=True)
class Asked:
    """Something that is asked for, and how often. `then` says why it had no answer then, if so."""

    method: str
    url: str
    times: int
    then: str = ""


@dataclass(frozen=True)
class Replayed:
    """A stored capture and the one made from its archive. Close that one, as any capture.

    `missing` was asked for now and has no stored answer; `unused` has one and was not asked for.
    """

    original: Capture
    capture: Capture
    missing: tuple[Asked, ...]
    unused: tuple[Asked, ...]


class Replays(Closing):
    """Replays captures of a repository, one after the other or several at once.

    One browser serves all that were taken alike (user agent, clock, scrolling, kind of picture).
    Metrics are those that the repository has now.
    Use it as an async context manager.
    """

    def __init__(self, repository: Repository, settings: Settings) -> None:
        self._repository = repository
        self._settings = settings
        self._metrics = read_metrics(repository.layout.metrics, settings.limits)
        self._authority = Authority(ca("webgeist replay", datetime.now(UTC)))
        self._cameras: dict[Settings, Camera] = {}
        self._starting = asyncio.Lock()
        self._open = AsyncExitStack()

    async def close(self) -> None:
        self._cameras.clear()
        await self._open.aclose()

    async def replay(
        self, capture_id: str, *, on_stage: Callable[[str], None] = lambda _: None
    ) -> Replayed:
        """The capture once more, under the circumstances of the original.

        NotFoundError where there is no such capture or nothing was recorded with it; DamagedError
        where the archive cannot be read.
        """
        original = self._repository.capture(capture_id)
        answers = answers_of(original, self._repository)
        info = original.info
        camera = await self._camera(circumstances(info, answers.user_agent(), self._settings))
        playing = _PLAYED.set(answers)
        try:
            capture = await camera.capture(
                Target(info.requested_url),
                viewport=info.viewport.name,
                clock=info.clock,
                on_stage=on_stage,
            )
        finally:
            _PLAYED.reset(playing)
        return _replayed(original, capture, answers)

    async def _camera(self, settings: Settings) -> Camera:
        async with self._starting:
            if settings not in self._cameras:
                recorder = _Player(settings, self._authority)
                self._open.push_async_callback(recorder.close)
                self._cameras[settings] = await self._open.enter_async_context(
                    Camera(settings, recorder, metrics=self._metrics)
                )
            return self._cameras[settings]


async def replay(repository: Repository, capture_id: str, settings: Settings) -> Replayed:
    """One stored capture once more, with a browser of its own. `Replays` is for many."""
    async with Replays(repository, settings) as replays:
        return await replays.replay(capture_id)


def circumstances(info: CaptureInfo, user_agent: str | None, settings: Settings) -> Settings:
    """The settings under which a page is loaded as it was then. Limits stay today's."""
    taken = {
        "deterministic": info.clock is not None,
        "screenshot": info.screenshot.format if info.screenshot else "none",
        "scroll": info.settled.scrolled if info.settled else settings.capture.scroll,
        "user_agent": None if _is_chromiums(user_agent, info.browser) else user_agent,
    }
    return settings.model_copy(update={"capture": settings.capture.model_copy(update=taken)})


def _is_chromiums(user_agent: str | None, browser: str) -> bool:
    """Whether a user agent is the browser's own (`browser` as in HeadlessChrome/143.0.7499.4)."""
    major = browser.rpartition("/")[2].partition(".")[0]
    return user_agent is None or f"HeadlessChrome/{major}.0.0.0" in user_agent


def _replayed(original: Capture, capture: Capture, answers: StoredAnswers) -> Replayed:
    asked = Counter((each.method, each.url) for each in capture.exchanges)
    return Replayed(
        original,
        capture,
        tuple(_missing(capture.exchanges, answers.unanswered)),
        tuple(Asked(*key, times) for key, times in sorted((answers.stored - asked).items())),
    )


def _missing(
    exchanges: tuple[Exchange, ...], unanswered: dict[tuple[str, str], str]
) -> Iterator[Asked]:
    silent = [each for each in exchanges if each.status is None]
    found = Counter((each.method, each.url) for each in silent)
    lost = {(each.method, each.url) for each in silent if each.cause == NOT_STORED}
    for key, times in sorted(found.items()):
        if key in lost or key in unanswered:
            yield Asked(*key, times, unanswered.get(key, ""))


class _Player:
    """A `Recorder` whose slots answer from the archive of whatever is replayed through them."""

    form = "replay"

    def __init__(self, settings: Settings, authority: Authority) -> None:
        self._settings = settings
        self._authority = authority
        self._replays: list[Replay] = []

    @property
    def arguments(self) -> tuple[str, ...]:
        return Replay(self._settings, self._authority, lambda *_: None).arguments

    async def slot(self) -> _PlayerSlot:
        turntable = _Turntable()
        replay = Replay(self._settings, self._authority, turntable)
        self._replays.append(replay)
        return _PlayerSlot(await replay.slot(), turntable)

    async def close(self) -> None:
        for replay in self._replays:
            await replay.close()
        self._replays.clear()


class _Turntable:
    """A `Lookup` that is another one for each page."""

    def __init__(self) -> None:
        self.lookup: Lookup = lambda *_: None

    def __call__(self, method: str, url: str, nth: int) -> StoredAnswer | None:
        return self.lookup(method, url, nth)


class _PlayerSlot:
    """A slot of the proxy that takes up what is to be played when a page begins."""

    def __init__(self, slot: ProxySlot, turntable: _Turntable) -> None:
        self._slot = slot
        self._turntable = turntable

    @property
    def proxy(self) -> str:
        return self._slot.proxy

    def begin(self) -> None:
        self._turntable.lookup = _PLAYED.get()
        self._slot.begin()

    async def end(self) -> list[Exchange]:
        return await self._slot.end()

    async def close(self) -> None:
        await self._slot.close()
