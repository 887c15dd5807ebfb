"""E-mail by SMTP: the gate resolves and checks the server, and that literal address is dialled."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import ssl
from dataclasses import dataclass
from email.message import EmailMessage
from typing import TYPE_CHECKING

from webgeist.capture.gate import Gate, RefusedError
from webgeist.watch.channels import DeliveryError

if TYPE_CHECKING:
    from collections.abc import Callable

    from webgeist.watch.notices import Notice


@dataclass(frozen=True)
class Server:
    """`security` is tls (from the first byte), starttls or none. Without a user nobody logs in."""

    host: str
    port: int
    security: str = "starttls"
    user: str = ""
    password: str = ""

    def __repr__(self) -> str:
        return f"Server({self.host}:{self.port}, {self.security})"


class Mail:
    """Confirms when the server has taken the message, within `seconds`."""

    def __init__(
        self,
        server: Server,
        sender: str,
        to: str,
        gate: Gate,
        *,
        seconds: float = 60.0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._server = server
        self._sender = sender
        self._to = to
        self._gate = gate
        self._seconds = seconds
        self._tls = tls
        self.key = f"mail {to}"

    async def deliver(self, notice: Notice) -> None:
        server = self._server
        session = _Session(server, self._seconds, self._tls)
        try:
            async with asyncio.timeout(self._seconds):
                addresses = await self._gate.addresses(server.host, server.port)
                session.address = str(addresses[0])
                await asyncio.to_thread(session.send, self._message(notice))
        except TimeoutError as error:
            raise DeliveryError(
                f"{server.host} did not take the message within {self._seconds:g} s"
            ) from error
        except (RefusedError, smtplib.SMTPException, OSError) as error:
            raise DeliveryError(f"{server.host}: {_said(error)}") from error
        finally:
            session.hang_up()

    def _message(self, notice: Notice) -> EmailMessage:
        message = EmailMessage()
        message["From"] = self._sender
        message["To"] = self._to
        message["Subject"] = notice.title
        message["Message-ID"] = f"<{notice.id}@webgeist.invalid>"
        message["Auto-Submitted"] = "auto-generated"
        message.set_content(notice.text, cte="quoted-printable")
        return message


class _Session:
    """One conversation with a server, in a thread; `hang_up` ends it from outside."""

    def __init__(self, server: Server, seconds: float, tls: ssl.SSLContext | None) -> None:
        self.address = ""
        self._server = server
        self._seconds = seconds
        self._tls = tls or ssl.create_default_context()
        self._socket: socket.socket | None = None

    def send(self, message: EmailMessage) -> None:
        server = self._server
        with _Smtp(self._connect, server.host, server.port) as smtp:
            if server.security == "starttls":
                smtp.starttls(context=self._tls)
            if server.user:
                smtp.login(server.user, server.password)
            smtp.send_message(message)

    def _connect(self) -> socket.socket:
        plain = socket.create_connection((self.address, self._server.port), self._seconds)
        self._socket = plain
        if self._server.security == "tls":
            self._socket = self._tls.wrap_socket(plain, server_hostname=self._server.host)
        return self._socket

    def hang_up(self) -> None:
        if self._socket is not None:
            self._socket.close()


class _Smtp(smtplib.SMTP):
    """Speaks over a connection that was made elsewhere; certificates are checked by `host`."""

    def __init__(self, connect: Callable[[], socket.socket], host: str, port: int) -> None:
        self._connect = connect
        super().__init__(host, port)

    def _get_socket(self, *_: object) -> socket.socket:
        return self._connect()


def _said(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPResponseException):
        raw = error.smtp_error
        text = raw.decode("utf-8", "replace") if isinstance(raw, bytes) else str(raw)
        return f"it answered {error.smtp_code} {text}"
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "it refused the recipient"
    return str(error) or type(error).__name__
