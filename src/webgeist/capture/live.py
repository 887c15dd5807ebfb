"""The page model of a page that Playwright has open, as it is at this moment.

For those who drive a browser themselves: nothing is waited for, frozen or recorded, and frames of
other sites that Chromium keeps in processes of their own are empty.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import orjson

from webgeist.page import snapshot

if TYPE_CHECKING:
    from playwright import async_api, sync_api

    from webgeist.page.model import Page

_WORLD = "webgeist"  # where the page's own scripts cannot change what is asked
# Pages have properties of their own beside the longhands, and a snapshot knows none of them.
_LONGHANDS = """
    [...getComputedStyle(document.documentElement)].filter(name => !name.startsWith("--"))
"""


async def look(page: async_api.Page) -> Page:
    """What an open page shows now: all nodes, with all computed styles."""
    session = await page.context.new_cdp_session(page)
    try:
        tree = await session.send("Page.getFrameTree")
        world = await session.send("Page.createIsolatedWorld", _world(tree))
        listed = await session.send("Runtime.evaluate", _question(world))
        properties = listed["result"]["value"]
        return _decoded(await session.send(*_snapshot(properties)), properties)
    finally:
        await session.detach()


def look_now(page: sync_api.Page) -> Page:
    """The same for Playwright's synchronous form."""
    session = page.context.new_cdp_session(page)
    try:
        world = session.send("Page.createIsolatedWorld", _world(session.send("Page.getFrameTree")))
        properties = session.send("Runtime.evaluate", _question(world))["result"]["value"]
        return _decoded(session.send(*_snapshot(properties)), properties)
    finally:
        session.detach()


def _world(tree: dict[str, Any]) -> dict[str, Any]:
    return {"frameId": tree["frameTree"]["frame"]["id"], "worldName": _WORLD}


def _question(world: dict[str, Any]) -> dict[str, Any]:
    where = world["executionContextId"]
    return {"expression": _LONGHANDS, "contextId": where, "returnByValue": True}


def _snapshot(properties: list[str]) -> tuple[str, dict[str, Any]]:
    wanted = {"computedStyles": properties, "includePaintOrder": True}
    return "DOMSnapshot.captureSnapshot", wanted


def _decoded(answer: dict[str, Any], properties: list[str]) -> Page:
    return snapshot.decode(orjson.dumps({"result": answer}), properties)
