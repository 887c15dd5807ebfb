"""The process that speaks to Apprise's services, so that nothing of it gets past the gate.

An audit hook cannot be taken off again, and sees each address when it is dialled: names that mean
another address the second time, redirects and a service's own connections come by it as well.
Programs are not started, and nothing is sent without a connection. Its parent has `apprise.py`.
"""

from __future__ import annotations

import ipaddress
import json
import logging
import socket
import sys
from typing import TYPE_CHECKING, Any

from webgeist.capture.gate import Gate, RefusedError

if TYPE_CHECKING:
    from collections.abc import Callable

_PROGRAMS = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "os.forkpty")
_NEVER = frozenset(("socket.sendto", "socket.sendmsg", *_PROGRAMS))


def guard(gate: Gate, refused: list[str]) -> Callable[[str, tuple[Any, ...]], None]:
    """An audit hook that lets this process reach what `gate` allows; `refused` says why not."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        reason = ""
        if event == "socket.connect":
            reason = _reason(gate, arguments[1])
        elif event in _NEVER:
            reason = f"the service wants {event}, which webgeist does not allow"
        if reason:
            refused.append(reason)
            raise PermissionError(reason)

    return hook


def _reason(gate: Gate, address: object) -> str:
    if not isinstance(address, tuple):
        return "the service wants a socket of this machine, which webgeist does not allow"
    host = str(address[0])
    try:
        gate.check(host, [str(ipaddress.ip_address(host.partition("%")[0]))])
    except RefusedError as error:
        return str(error)
    except ValueError:
        return f"{host} is a name: nobody can check what it means"
    return ""


def main() -> None:
    """An order as JSON on stdin; on stdout why it failed, or nothing."""
    order = json.load(sys.stdin)
    refused: list[str] = []
    from apprise import Apprise, LogCapture

    socket.setdefaulttimeout(order["seconds"])
    sys.addaudithook(guard(Gate(**order["gate"]), refused))
    service = Apprise()
    with LogCapture(level=logging.WARNING) as log:  # type: ignore[no-untyped-call] # Apprise has no types for it
        done = service.add(order["url"]) and service.notify(
            title=order["title"], body=order["body"]
        )
        said = log.getvalue().strip().splitlines()
    if not done:
        print((refused or said[-1:] or ["Apprise did not say why"])[0])  # noqa: T201


if __name__ == "__main__":
    main()
