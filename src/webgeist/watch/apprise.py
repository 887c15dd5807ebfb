"""The services that Apprise knows (chats, telephones, …), by a process that the gate watches."""

from __future__ import annotations

import asyncio
import json
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from webgeist.errors import UsageError
from webgeist.watch.channels import DeliveryError, secret_name

if TYPE_CHECKING:
    from webgeist.capture.gate import Gate
    from webgeist.watch.notices import Notice

_REASON = 200  # characters


class AppriseService:
    """One address as Apprise writes them. It is a secret, so it is never an argument.

    Confirms when Apprise says that the service took it, within `seconds`.
    """

    def __init__(self, url: str, gate: Gate, *, seconds: float = 30.0) -> None:
        if find_spec("apprise") is None:
            raise UsageError(
                "Apprise is not installed", remedy="pip install 'webgeist[apprise]', then again"
            )
        self._url = url
        self._gate = gate
        self._seconds = seconds
        self.key = f"apprise {url.partition(':')[0]} {secret_name(url)}"

    async def deliver(self, notice: Notice) -> None:
        gate = {"allow_private": self._gate.allow_private, "allow": self._gate.allow}
        order = {
            "url": self._url,
            "title": notice.title,
            "body": notice.text,
            "gate": gate,
            "seconds": self._seconds,
        }
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "webgeist.watch.messenger"),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is the watch's to hear
        )
        try:
            async with asyncio.timeout(self._seconds):
                said, trouble = await process.communicate(json.dumps(order).encode())
        except TimeoutError as error:
            raise DeliveryError(f"{self.key} did not confirm within {self._seconds:g} s") from error
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if reason := said or (trouble if process.returncode else b""):
            last = reason.decode("utf-8", "replace").strip().splitlines()[-1]
            raise DeliveryError(last.replace(self._url, self.key)[:_REASON])
