"""The line to one target: commands go to it alone, and all who listen hear it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from webgeist.capture.session import TargetSession
from webgeist.capture.viewport import VIEWPORTS

if TYPE_CHECKING:
    from tests.conftest import Studio


def test_all_who_listen_hear_in_the_order_in_which_they_came(studio: Studio) -> None:
    heard: list[tuple[str, str]] = []

    def ear(name: str) -> Any:
        return lambda method, _params: heard.append((name, method))

    async def talk() -> dict[str, Any]:
        browser = studio.camera.places.browser
        assert browser is not None
        async with browser.tab(VIEWPORTS["desktop"], None) as tab:
            session = TargetSession(tab._connection, tab._session, ear("first"))
            session.listen(ear("second"))
            session.post("Network.disable")
            await session.send("Page.navigate", {"url": "about:blank"})
            return await session.send("Runtime.evaluate", {"expression": "6 * 7"}, seconds=20)

    assert studio.door.run(talk())["result"]["value"] == 42
    assert [name for name, method in heard if method == "Page.frameNavigated"] == [
        "first",
        "second",
    ]
