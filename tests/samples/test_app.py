"""The application in front of all sites: who answers, what time it is, and what was asked."""

from __future__ import annotations

import http.client
import re
import socket
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from webgeist.samples.app import END, SITES, LoggedRequest, moved
from webgeist.samples.clock import START
from webgeist.samples.server import serve

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.samples.conftest import Visitor

    from webgeist.samples.server import SampleServer

SITE = ""


@pytest.mark.parametrize(
    ("host", "path", "words"),
    [
        ("shop.localhost", "/", "Harbour &amp; Hearth"),
        ("magazine.localhost", "/", "The Harbour Review"),
        ("manual.localhost", "/", "Meridian documentation"),
        ("directory.localhost", "/", "The Civic Register"),
        ("portfolio.localhost", "/", "Ostinato"),
        ("gallery.localhost", "/", "The Browser Gallery"),
        ("museum.localhost", "/", "Museum of nasty pages"),
        ("boards.localhost", "/", "The Boards"),
        ("office.localhost", "/", "The Records Office"),
        ("ads.localhost", "/banner/leaderboard", "Advertisement"),
        ("frames.localhost", "/frames/inner", "frames.localhost"),
        ("robots-deny.localhost", "/robots.txt", "Disallow: /\n"),
        ("localhost", "/", "Sample sites"),
        ("shop.localhost:80", "/", "Harbour &amp; Hearth"),
        ("Shop.LocalHost:1", "/", "Harbour &amp; Hearth"),
    ],
)
def test_the_host_decides_who_answers(visitor: Visitor, host: str, path: str, words: str) -> None:
    answer = visitor.ask(path, host=host)
    assert answer.status == 200
    assert words in answer.text


@pytest.mark.parametrize(
    "host",
    ["nobody.localhost", "a.shop.localhost", "shop", "shoplocalhost", "shop.localhost.example.org", "example.org", "127.0.0.1", ".localhost", ""],
)  # fmt: skip
def test_a_host_that_is_nobodys_is_404_and_says_so(visitor: Visitor, host: str) -> None:
    answer = visitor.ask("/", host=host)
    assert answer.status == 404
    assert f"no sample site is called {host}:" in answer.text


def test_the_index_lists_every_site(visitor: Visitor) -> None:
    found = re.findall(r'<li><a href="([^"]*)">', visitor.page("/"))
    assert found == [visitor.server.url(name) for name in SITES]


def now(visitor: Visitor) -> str:
    answer = visitor.ask("/clock", site="control")
    assert answer.status == 200
    return answer.text


def test_the_clock_can_be_read(visitor: Visitor) -> None:
    assert now(visitor) == '{"now":"2026-03-02T09:00:00+00:00","days":0}'


def test_the_clock_moves_by_days_and_pages_show_it(traveller: Visitor) -> None:
    before = traveller.page("/", site="shop")
    for days in ("1", "1.5"):
        answer = traveller.ask("/clock", {"days": days}, site="control")
        assert (answer.status, answer.text) == (200, now(traveller))
    assert '"now":"2026-03-04T21:00:00+00:00","days":2' in now(traveller)
    assert "Stock counted 9 hours ago" in before
    assert "Stock counted 21 hours ago" in traveller.page("/", site="shop")


def test_the_clock_moves_to_a_time_and_pages_show_it(traveller: Visitor) -> None:
    old = traveller.page("/", site="magazine")
    traveller.ask("/clock", {"now": "2026-03-12T10:00+01:00"}, site="control")
    assert '"now":"2026-03-12T09:00:00+00:00","days":10' in now(traveller)
    new = traveller.page("/", site="magazine")
    assert ("look-2.css" in old, "look-2.css" in new) == (False, True)


@pytest.fixture
def far_east() -> Iterator[None]:
    """This process lives nine hours ahead of UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "EAST-9")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("wish", "then"),
    [
        ({"days": "3"}, START + timedelta(days=4)),
        ({"days": "-1"}, START),
        ({"days": "0.5"}, START + timedelta(days=1.5)),
        ({"now": "2026-04-01"}, datetime(2026, 4, 1, tzinfo=UTC)),
        ({"now": "2026-04-01T12:00"}, datetime(2026, 4, 1, 12, tzinfo=UTC)),
        ({"now": "2026-04-01T12:00-02:00"}, datetime(2026, 4, 1, 14, tzinfo=UTC)),
        ({"now": "2026-04-01T12:00Z", "days": "1"}, datetime(2026, 4, 2, 12, tzinfo=UTC)),
    ],
)
@pytest.mark.usefixtures("far_east")
def test_a_wish_is_read_the_same_in_every_time_zone(wish: dict[str, str], then: datetime) -> None:
    result = moved(START + timedelta(days=1), wish)
    assert (result, result.tzinfo) == (then, UTC)


BAD_WISHES: list[dict[str, str]] = [
    {},
    {"day": "1"},
    {"days": "1", "hours": "2"},
    {"days": ""},
    {"days": "many"},
    {"days": "nan"},
    {"days": "inf"},
    {"days": "1e300"},
    {"days": "-1"},
    {"days": str((END - START).days + 1)},
    {"now": ""},
    {"now": "tomorrow"},
    {"now": "2026-02-30"},
    {"now": "0001-01-01T00:00+14:00"},
    {"now": "9999-12-31"},
    {"now": "2026-04-01", "days": "x"},
]


@pytest.mark.parametrize("wish", BAD_WISHES, ids=str)
def test_a_bad_wish_is_400_and_moves_nothing(visitor: Visitor, wish: dict[str, str]) -> None:
    before = now(visitor)
    answer = visitor.ask("/clock", wish, site="control")
    assert answer.status == 400
    assert answer.text.startswith("the clock stays where it is: ")
    assert now(visitor) == before


def test_a_form_that_is_no_text_is_400(visitor: Visitor) -> None:
    with closing(http.client.HTTPConnection("127.0.0.1", visitor.server.port)) as connection:
        connection.request("POST", "/clock", b"days=\xff", {"host": "control.localhost"})
        assert connection.getresponse().status == 400


def test_the_log_has_every_request_as_it_was_sent(
    traveller: Visitor, own_web: SampleServer
) -> None:
    traveller.ask("/search?q=a%20b&x=%C3%A9", site="shop")
    traveller.ask("/caf%C3%A9", site="manual")
    traveller.ask("/clock", {"days": "1"}, site="control")
    traveller.ask("/", host="Nobody.localhost:7")
    traveller.ask("/redirects/301", site="gallery")
    assert own_web.log == [
        LoggedRequest("GET", "shop.localhost", "/search?q=a%20b&x=%C3%A9", 200),
        LoggedRequest("GET", "manual.localhost", "/caf%C3%A9", 404),
        LoggedRequest("POST", "control.localhost", "/clock", 200),
        LoggedRequest("GET", "nobody.localhost", "/", 404),
        LoggedRequest("GET", "gallery.localhost", "/redirects/301", 301),
    ]


def socket_to(server: SampleServer, host: str, path: str) -> ClientConnection:
    raw = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    return connect(f"ws://{host}:{server.port}{path}", sock=raw, proxy=None)


def test_the_log_has_web_sockets(own_web: SampleServer) -> None:
    with socket_to(own_web, "gallery.localhost", "/websocket/echo?x") as opened:
        opened.send("one")
        assert opened.recv(timeout=30) == "echo: one"
    for host, status in (("gallery.localhost", 403), ("nobody.localhost", 404)):
        with pytest.raises(InvalidStatus) as refused:
            socket_to(own_web, host, "/no-such-socket")
        assert refused.value.response.status_code == status
    assert own_web.log == [
        LoggedRequest("GET", "gallery.localhost", "/websocket/echo?x", 101),
        LoggedRequest("GET", "gallery.localhost", "/no-such-socket", 403),
        LoggedRequest("GET", "nobody.localhost", "/no-such-socket", 404),
    ]


def test_an_answer_that_has_only_begun_is_in_the_log(own_web: SampleServer) -> None:
    with socket.create_connection(("127.0.0.1", own_web.port), timeout=30) as client:
        client.sendall(b"GET /load/trickle HTTP/1.1\r\nHost: museum.localhost\r\n\r\n")
        assert client.recv(1)
        assert own_web.log == [LoggedRequest("GET", "museum.localhost", "/load/trickle", 200)]


def test_the_log_forgets_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webgeist.samples.app.MOST_LOGGED", 3)
    with serve() as server:
        for number in range(5):
            with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
                client.sendall(f"GET /{number} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
                assert client.recv(1)
        assert [asked.path for asked in server.log] == ["/2", "/3", "/4"]


def test_requests_at_the_same_time_are_all_in_the_log(
    traveller: Visitor, own_web: SampleServer
) -> None:
    paths = [f"/answers/empty?n={number}" for number in range(200)]
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda path: traveller.ask(path, site="museum"), paths))
    assert {answer.status for answer in answers} == {200}
    assert Counter(asked.path for asked in own_web.log) == Counter(paths)
