"""Who may ask: names, origins, tokens, sizes; and what every answer says to browsers."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from tests.server.asking import IDS, problem, serving

from webgeist.server.guard import Guard
from webgeist.server.tokens import Scope, add_token
from webgeist.settings.models import ApiSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.server.asking import Asked

EVERYWHERE = ("/v1/", "/v1/openapi.json", "/nowhere", f"/v1/pages/{IDS[0]}/screenshot.png")


@pytest.mark.parametrize("path", EVERYWHERE)
def test_every_answer_tells_browsers_to_be_careful(server: Asked, path: str) -> None:
    headers = server.get(path).headers
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["cross-origin-resource-policy"] == "same-origin"
    assert "sandbox" in headers["content-security-policy"]
    assert headers["referrer-policy"] == "no-referrer"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers


def test_a_method_that_is_not_known_is_told_those_that_are(server: Asked) -> None:
    answer = server.client.delete("/v1/pages.json")
    assert problem(answer, 405)["remedy"] == "it knows GET, POST"
    assert answer.headers["allow"] == "GET, POST"
    assert "GET" in server.client.delete("/v1/openapi.json").headers["allow"]


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:80", "a.b.localhost", "[::1]:5"])
def test_this_machine_by_its_own_names(server: Asked, host: str) -> None:
    assert server.get("/v1/", headers={"host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "0.0.0.0",
        "",
        "127.0.0.1/",
    ],
)
def test_no_other_name_leads_here(server: Asked, host: str) -> None:
    found = server.problem("/v1/", 421, headers={"host": host})
    assert found["where"] == "header Host"


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_pages_of_others_may_not_ask(server: Asked, origin: str) -> None:
    found = server.problem("/v1/", 403, headers={"origin": origin})
    assert found["where"] == "header Origin"


def test_pages_of_its_own_origin_may(server: Asked) -> None:
    assert server.get("/v1/", headers={"origin": server.url}).status_code == 200


def test_origins_that_are_allowed(folder: Path) -> None:
    with serving(folder, cors="https://a.example https://b.example") as asked:
        for origin in ("https://a.example", "https://b.example"):
            answer = asked.get("/v1/", headers={"origin": origin})
            assert answer.headers["access-control-allow-origin"] == origin
        asked.problem("/v1/", 403, headers={"origin": "https://c.example"})
        asks_first = {"origin": "https://a.example", "access-control-request-method": "POST"}
        answer = asked.client.options("/v1/query.json", headers=asks_first)
        assert answer.status_code == 200
        assert "POST" in answer.headers["access-control-allow-methods"]


@pytest.fixture
def tokens(tmp_path: Path) -> Path:
    return tmp_path / "tokens.txt"


def test_with_tokens_nobody_asks_without(folder: Path, tokens: Path) -> None:
    secret = add_token(tokens, Scope.READ, "alice")
    with serving(folder, token_file=str(tokens)) as asked:
        for path in EVERYWHERE:
            answer = asked.get(path)
            found = problem(answer, 401)
            assert found["where"] == "header Authorization"
            assert answer.headers["www-authenticate"].startswith("Bearer")
        for wrong in (
            f"Bearer {secret}x",
            f"Basic {secret}",
            secret,
            "Bearer",
            "Bearer é".encode(),
        ):
            asked.problem("/v1/", 401, headers={"authorization": wrong})
        for right in (f"Bearer {secret}", f"bearer  {secret}"):
            answer = asked.get("/v1/", headers={"authorization": right, "host": "any.example"})
            assert answer.status_code == 200
        assert secret not in tokens.read_text()


def test_a_token_to_read_does_not_write(folder: Path, tokens: Path) -> None:
    reading, writing = (add_token(tokens, scope, scope.name) for scope in (Scope.READ, Scope.WRITE))
    with serving(folder, token_file=str(tokens)) as asked:
        for method in ("PUT", "DELETE", "PATCH", "TRACE", "NONSENSE"):
            for secret, status in ((reading, 403), (writing, 405)):
                given = {"authorization": f"Bearer {secret}"}
                asked.problem("/v1/", status, method=method, headers=given)


def test_a_token_that_is_taken_out_is_no_longer_good(folder: Path, tokens: Path) -> None:
    alice, bob = (add_token(tokens, Scope.READ, name) for name in ("alice", "bob"))
    with serving(folder, token_file=str(tokens)) as asked:
        for secret in (alice, bob):
            given = {"authorization": f"Bearer {secret}"}
            assert asked.get("/v1/", headers=given).status_code == 200
        lines = [line for line in tokens.read_text().splitlines(True) if "alice" not in line]
        tokens.write_text("".join(lines))
        os.utime(tokens, ns=(1, 1))  # also where the clock is coarse
        asked.problem("/v1/", 401, headers={"authorization": f"Bearer {alice}"})
        assert asked.get("/v1/", headers={"authorization": f"Bearer {bob}"}).status_code == 200
        tokens.write_text("nonsense")
        asked.problem("/v1/", 401, headers={"authorization": f"Bearer {bob}"})


def test_large_bodies_are_refused(folder: Path) -> None:
    with serving(folder, body_bytes=1000) as asked:
        body = b"x" * 1001
        found = asked.problem("/v1/query.json", 413, method="POST", content=body)
        assert found["where"] == "body"
        chunked = iter([b"x" * 600, b"x" * 600])
        asked.problem("/v1/query.json", 413, method="POST", content=chunked)


def test_a_body_that_never_comes_is_not_waited_for(folder: Path) -> None:
    with serving(folder, body_seconds=0.2) as asked:
        port = asked.running.address.port
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(
                b"POST /v1/query.json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n"
                b"Content-Type: application/json\r\n\r\n{"
            )
            assert b" 408 " in client.recv(100)
        with socket.create_connection(("127.0.0.1", port), timeout=30) as client:
            client.sendall(b"GET /v1/ HTTP/1.1\r\nHost: loc")  # nor a head
            with pytest.raises(ConnectionResetError):
                client.recv(100)


async def _asked(guard: Guard, send: Any) -> None:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    scope = {"type": "http", "method": "GET", "path": "/x", "headers": [(b"host", b"localhost")]}
    await guard(scope, receive, send)


def test_a_bug_has_an_id_that_is_also_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret detail")

    sent: list[dict[str, Any]] = []

    async def send(message: Any) -> None:
        sent.append(message)

    with caplog.at_level(logging.ERROR, "webgeist.server"):
        asyncio.run(_asked(Guard(broken, ApiSettings(), None), send))
    assert sent[0]["status"] == 500
    found = httpx.Response(500, content=sent[1]["body"]).json()
    assert "secret" not in sent[1]["body"].decode()
    assert found["id"] in caplog.text
    assert "a secret detail" in caplog.text


def test_an_answer_that_breaks_off_is_not_completed() -> None:
    async def broken(_scope: object, _receive: object, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        raise ZeroDivisionError

    sent: list[str] = []

    async def send(message: Any) -> None:
        sent.append(message["type"])

    with pytest.raises(Exception, match="fault of the server"):
        asyncio.run(_asked(Guard(broken, ApiSettings(), None), send))
    assert sent == ["http.response.start"]
