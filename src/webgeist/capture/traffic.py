"""Whether a page that Playwright has open is still being sent something.

For those who act on a page and then look at it: what a click asked for should have come. Requests
that stay open for long (streams, polls) do not count, and every wait has a limit.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from playwright import async_api, sync_api

_CALM_SECONDS = 0.15  # without a request or an answer
_LONG_SECONDS = 5.0  # what is open for longer is not waited for
_STEP_SECONDS = 0.05


class Traffic:
    """The open requests of a page, from now on. `status` is that of the newest document."""

    def __init__(self, page: async_api.Page | sync_api.Page) -> None:
        self._page = cast("Any", page)
        self._open: dict[int, float] = {}
        self._newest = time.monotonic()
        self.status: int | None = None
        self._heard: dict[str, Any] = {
            "request": self._asked,
            "requestfinished": self._over,
            "requestfailed": self._over,
            "response": self._answered,
        }
        for event, hear in self._heard.items():
            self._page.on(event, hear)

    def stop(self) -> None:
        """Hear no more."""
        for event, hear in self._heard.items():
            self._page.remove_listener(event, hear)

    @property
    def calm(self) -> bool:
        """Nothing is under way, and nothing was a moment ago."""
        now = time.monotonic()
        waiting = any(now - since < _LONG_SECONDS for since in self._open.values())
        return not waiting and now - self._newest >= _CALM_SECONDS

    def stir(self) -> None:
        """Something is about to happen: a moment must pass before all is calm."""
        self._newest = time.monotonic()

    def _asked(self, request: Any) -> None:
        self.stir()
        self._open[id(request)] = self._newest

    def _over(self, request: Any) -> None:
        self.stir()
        self._open.pop(id(request), None)

    def _answered(self, response: Any) -> None:
        request = response.request
        if request.is_navigation_request() and response.frame == self._page.main_frame:
            self.status = int(response.status)


async def calm_down(page: async_api.Page, traffic: Traffic, seconds: float) -> None:
    """Wait until nothing is under way and the page is loaded, for so long at most."""
    until = time.monotonic() + seconds
    while not traffic.calm and time.monotonic() < until:
        await page.wait_for_timeout(_STEP_SECONDS * 1000)


def calm_down_now(page: sync_api.Page, traffic: Traffic, seconds: float) -> None:
    """The same for Playwright's synchronous form."""
    until = time.monotonic() + seconds
    while not traffic.calm and time.monotonic() < until:
        page.wait_for_timeout(_STEP_SECONDS * 1000)
