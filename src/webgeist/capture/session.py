"""The line to one target of the browser: a page, a frame of its own process, a worker."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.capture.cdp import Connection, Listener


class TargetSession:
    """Commands to one attached target, and its events to all who want to hear them, in order."""

    def __init__(self, connection: Connection, name: str, listener: Listener) -> None:
        self.name = name
        self._connection = connection
        self._listeners = [listener]
        connection.listen(name, self._tell)

    async def send(
        self, method: str, params: dict[str, Any] | None = None, *, seconds: float | None = None
    ) -> dict[str, Any]:
        return await self._connection.send(method, params, session=self.name, seconds=seconds)

    def post(self, method: str, params: dict[str, Any] | None = None) -> None:
        self._connection.post(method, params, session=self.name)

    def listen(self, listener: Listener) -> None:
        self._listeners.append(listener)

    def _tell(self, method: str, params: dict[str, Any]) -> None:
        for listener in self._listeners:
            listener(method, params)
