"""What scripts of a page asked its site for and did not get: a list that ends there is not over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from webgeist.crawl.addresses import parse

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Response

_SCRIPTED = frozenset({"fetch", "xhr"})
_SERVER_ERROR, _BUSY = 500, 429
_LEFT = "ERR_ABORTED"  # the page itself did not want it any more


class Refusals:
    """The newest request of a page's scripts that failed, until it is answered after all."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._failed: dict[str, str] = {}  # by address, without the query
        self._useful: set[str] = set()  # such addresses, too: they were answered
        self._harmless: set[str] = set()
        page.on("response", self._answered)
        page.on("requestfailed", self._lost)

    def stop(self) -> None:
        """Hear no more."""
        self._page.remove_listener("response", self._answered)
        self._page.remove_listener("requestfailed", self._lost)

    def forget(self, *, for_good: bool) -> None:
        """Whatever failed did no harm: there are rows. `for_good` where these came after it: what
        they did not need (a counter of visitors, say) may fail again.
        """
        if for_good:
            self._harmless.update(self._failed.keys() - self._useful)
        self._failed.clear()

    @property
    def newest(self) -> str | None:
        """What failed last, and why; None if nothing did."""
        return next(reversed(self._failed.values()), None)

    def _answered(self, response: Response) -> None:
        if response.status >= _SERVER_ERROR or response.status == _BUSY:
            self._note(response.request, f"the server answered {response.status}")
        else:
            address = response.url.partition("?")[0]
            self._useful.add(address)
            self._failed.pop(address, None)

    def _lost(self, request: Request) -> None:
        if _LEFT not in (request.failure or ""):
            self._note(request, request.failure or "it broke off")

    def _note(self, request: Request, why: str) -> None:
        asked, here = parse(request.url), parse(self._page.url)
        own = asked is not None and here is not None and asked.site == here.site
        address = request.url.partition("?")[0]
        if own and request.resource_type in _SCRIPTED and address not in self._harmless:
            self._failed[address] = f"{request.url}: {why}"
