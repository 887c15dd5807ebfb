"""What /assets serves, asked over a real socket through the shop."""

from __future__ import annotations

import http.client
import socket
from typing import TYPE_CHECKING

import pytest

from webgeist.samples import app, pictures
from webgeist.samples.server import SampleServer, serve

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server() -> Iterator[SampleServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(app, "SITES", ("shop",))
        with serve() as running:
            wait_until_listening(running.port)
            yield running


def wait_until_listening(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=30).close()
        except ConnectionRefusedError:
            continue
        return


def ask(server: SampleServer, path: str) -> tuple[http.client.HTTPResponse, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request("GET", path, headers={"host": f"shop.localhost:{server.port}"})
        answer = connection.getresponse()
        return answer, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "kind", "start"),
    [
        ("/assets/fonts/webgeist-display.woff2", "font/woff2", b"wOF2"),
        ("/assets/photo/landscape-1/40x30.jpg", "image/jpeg", b"\xff\xd8\xff"),
        ("/assets/svg/logo/40x30.svg", "image/svg+xml", b"<svg "),
    ],
)
def test_an_asset_has_its_type_and_may_be_kept(
    server: SampleServer, path: str, kind: str, start: bytes
) -> None:
    answer, body = ask(server, path)
    assert answer.status == 200
    assert answer.headers["content-type"].split(";")[0] == kind
    assert "max-age=31536000" in answer.headers["cache-control"]
    assert body.startswith(start)


def test_the_address_says_which_picture(server: SampleServer) -> None:
    assert ask(server, "/assets/photo/product-mug-3/50x60.jpg")[1] == pictures.photo(
        "product-mug-3", 50, 60
    )


def test_other_origins_may_use_the_font(server: SampleServer) -> None:
    answer, _ = ask(server, "/assets/fonts/webgeist-display.woff2")
    assert answer.headers["access-control-allow-origin"] == "*"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/fonts/none.woff2",
        "/assets/fonts/..%2f..%2fsite.woff2",
        "/assets/fonts/CARD.md",
        "/assets/photo/a/0x10.jpg",
        "/assets/photo/a/9999x10.jpg",
        "/assets/photo/a/axb.jpg",
        "/assets/svg/a/10x99999.svg",
    ],
)
def test_what_is_not_there_is_not_found(server: SampleServer, path: str) -> None:
    assert ask(server, path)[0].status == 404
