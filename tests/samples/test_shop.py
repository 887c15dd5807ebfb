"""The shop, over a real socket: its lists are complete, its days as documented, its doors locked."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
from datetime import timedelta
from html import unescape
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlencode, urljoin, urlsplit

import pytest
from playwright.sync_api import Browser, sync_playwright

from webgeist.samples import app
from webgeist.samples.clock import START
from webgeist.samples.server import SampleServer, serve
from webgeist.samples.shop import catalogue, paging, reviews
from webgeist.samples.shop.categories import BY_SLUG, CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.samples.shop.catalogue import Product
    from webgeist.samples.shop.categories import Category

CHROMIUM = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium"))), None)
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--disable-quic",
]
KITCHEN = BY_SLUG["kitchen"]


class Visitor:
    """Asks the shop and keeps its cookies, as a browser would; follows no redirect by itself."""

    def __init__(self, server: SampleServer) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, fields: dict[str, str] | None = None, host: str = "shop") -> Answer:
        headers = {"host": f"{host}.localhost:{self.server.port}"}
        if self.cookies:
            headers["cookie"] = "; ".join(f"{k}={v}" for k, v in self.cookies.items())
        body = None
        if fields is not None:
            body = urlencode(fields)
            headers["content-type"] = "application/x-www-form-urlencoded"
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        try:
            connection.request("POST" if body is not None else "GET", path, body, headers)
            response = connection.getresponse()
            answer = Answer(response, response.read())
        finally:
            connection.close()
        self._keep(response)
        return answer

    def _keep(self, response: http.client.HTTPResponse) -> None:
        for line in response.headers.get_all("set-cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
                if morsel["max-age"] == "0":
                    del self.cookies[name]

    def at(self, days: float) -> Visitor:
        self.server.clock.now = START + timedelta(days=days)
        return self


class Answer:
    """Status, headers and text."""

    def __init__(self, response: http.client.HTTPResponse, body: bytes) -> None:
        self.status = response.status
        self.headers = response.headers
        self.body = body

    @property
    def text(self) -> str:
        return self.body.decode()

    def cards(self) -> list[str]:
        return re.findall(r'<li class="card">\s*<a href="/p/([^"]+)"', self.text)

    def next(self) -> str | None:
        found = re.search(r'<a class="step" rel="next" href="([^"]+)"', self.text)
        return unescape(found[1]) if found else None


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


@pytest.fixture
def visitor(server: SampleServer) -> Visitor:
    return Visitor(server).at(0)


def item(number: int) -> Product:
    return catalogue.product(KITCHEN, number)


def walk(visitor: Visitor, path: str) -> list[list[str]]:
    pages: list[list[str]] = []
    following: str | None = path
    while following:
        answer = visitor.ask(following)
        assert answer.status == 200
        pages.append(answer.cards())
        following = answer.next()
    return pages


@pytest.mark.parametrize("category", CATEGORIES, ids=lambda category: category.slug)
def test_walking_next_links_gives_every_product_once(visitor: Visitor, category: Category) -> None:
    pages = walk(visitor, f"/c/{category.slug}")
    found = [slug for page in pages for slug in page]
    assert found == [one.product.slug for one in catalogue.offers(category, 0)]
    assert len(set(found)) == category.count
    assert 40 <= category.count <= 90
    assert {len(page) for page in pages[:-1]} == {12}


@pytest.mark.parametrize("query", ["sort=price", "per=24", "material=Glass", "q=kitchen&sort=name"])
def test_the_wish_stays_when_turning_pages(visitor: Visitor, query: str) -> None:
    path = "/search" if query.startswith("q=") else "/c/kitchen"
    found = [slug for page in walk(visitor, f"{path}?{query}") for slug in page]
    wanted = [one.product for one in catalogue.offers(KITCHEN, 0)]
    if "material" in query:
        wanted = [one for one in wanted if one.material == "Glass"]
    assert sorted(found) == sorted(one.slug for one in wanted)


def test_sorting_sorts(visitor: Visitor) -> None:
    slugs = [slug for page in walk(visitor, "/c/kitchen?sort=price-down") for slug in page]
    offers = [catalogue.find(slug, 0) for slug in slugs]
    prices = [one.price for one in offers if one]
    assert prices == sorted(prices, reverse=True)
    assert len(prices) == KITCHEN.count


@pytest.mark.parametrize(
    ("number", "numbers"),
    [
        (1, [1, 2, None, 9]),
        (2, [1, 2, 3, None, 9]),
        (5, [1, None, 4, 5, 6, None, 9]),
        (9, [1, None, 8, 9]),
    ],
)
def test_the_window_of_page_numbers(number: int, numbers: list[int | None]) -> None:
    page = paging.page(list(range(100)), number, 12)
    assert page is not None
    assert page.numbers == numbers


def test_pages_say_where_they_are(visitor: Visitor) -> None:
    text = visitor.ask("/c/kitchen?page=3").text
    assert re.search(r'<span class="here" aria-current="page">3</span>', text)
    assert 'rel="prev" href="/c/kitchen?page=2"' in text
    assert (
        f'<link rel="next" href="http://shop.localhost:{visitor.server.port}/c/kitchen?page=4">'
        in text
    )
    assert "25&ndash;36 of 66 products" in text
    assert 'rel="prev" href="/c/kitchen"' in visitor.ask("/c/kitchen?page=2").text


@pytest.mark.parametrize(
    "path",
    ["/c/kitchen?page=7", "/c/kitchen?page=0", "/c/kitchen?page=x", "/c/none", "/p/none-k1", "/p/x", "/info/none", "/banner/none"],
)  # fmt: skip
def test_what_is_not_there_is_not_found(visitor: Visitor, path: str) -> None:
    assert visitor.ask(path).status == 404


def test_search_finds_by_all_words(visitor: Visitor) -> None:
    assert "Results for “brass lamp”" in visitor.ask("/search?q=brass+lamp").text
    found = [slug for page in walk(visitor, "/search?q=brass+lamp") for slug in page]
    assert found
    assert all("brass" in slug and "lamp" in slug for slug in found)
    assert visitor.ask("/search?q=zeppelin").cards() == []
    assert "&lt;script" in visitor.ask("/search?q=<script>x</script>").text


def test_the_same_clock_gives_the_same_bytes(visitor: Visitor) -> None:
    pages = visitor.server.web.sites[0].pages
    first = [visitor.ask(path).body for path in pages]
    assert len(pages) >= 8
    moved = [visitor.at(1).ask(path).body for path in pages]
    assert all(one != other for one, other in zip(first, moved, strict=True))
    catalogue.product.cache_clear()
    visitor.at(0)
    assert [visitor.ask(path).body for path in pages] == first


@pytest.mark.parametrize("category", ["kitchen", "garden"])
def test_each_day_brings_one_product_at_the_head(visitor: Visitor, category: str) -> None:
    before = [slug for page in walk(visitor, f"/c/{category}") for slug in page]
    after = [slug for page in walk(visitor.at(1), f"/c/{category}") for slug in page]
    assert after[1:] == before
    assert visitor.ask(f"/p/{after[0]}").status == 200
    assert visitor.at(0).ask(f"/p/{after[0]}").status == 404


def price_in(visitor: Visitor, number: int) -> str:
    found = re.search(
        r'<div class="facts">.*?<p class="price">(.*?)</p>',
        visitor.ask(item(number).path).text,
        re.DOTALL,
    )
    assert found
    return found[1]


def test_day_2_prices(visitor: Visitor) -> None:
    old = item(6).list_price
    assert price_in(visitor.at(1.9), 6) == f"<span>€{old / 100:,.2f}</span>"
    assert (
        price_in(visitor.at(2), 6)
        == f"<ins>€{round(old * 0.9) / 100:,.2f}</ins> <del>€{old / 100:,.2f}</del>"
    )
    assert price_in(visitor.at(1), 4) == price_in(visitor.at(9), 4)


def test_day_4_reviews(visitor: Visitor) -> None:
    def total(number: int) -> int:
        return int(json.loads(visitor.ask(f"/api/reviews/{item(number).slug}").body)["total"])

    visitor.at(3)
    before = total(5), total(6)
    visitor.at(4)
    assert (total(5), total(6)) == (before[0] + 1, before[1])


def test_day_6_sold_out(visitor: Visitor) -> None:
    assert "Add to basket" in visitor.at(5).ask(item(8).path).text
    sold_out = visitor.at(6).ask(item(8).path).text
    assert "Add to basket" not in sold_out
    assert "schema.org/OutOfStock" in sold_out
    assert "Add to basket" in visitor.ask(item(9).path).text


def test_campaigns_change_weekly_and_counters_hourly(visitor: Visitor) -> None:
    def headline(day: int) -> list[str]:
        return re.findall(r"<h1>(.*?)</h1>", visitor.at(day).ask("/").text)

    assert len(headline(0)) == 1
    assert headline(6) == headline(0)
    assert headline(7) != headline(0)
    assert "Stock counted 9 hours ago" in visitor.at(0).ask("/").text
    assert "Stock counted 10 hours ago" in visitor.at(1 / 24).ask("/").text


def test_advertisements_rotate_daily(visitor: Visitor) -> None:
    def seen(day: int) -> tuple[str, str]:
        visitor.at(day)
        inline = re.findall(r"Sponsored by ([^<]+)", visitor.ask("/").text)[0]
        return inline, visitor.ask("/banner/leaderboard", host="ads").text

    assert len({seen(day)[0] for day in range(6)}) == 6
    assert len({seen(day)[1] for day in range(6)}) == 6
    frame = f'src="http://ads.localhost:{visitor.server.port}/banner/leaderboard"'
    assert frame in visitor.ask("/").text


def test_reviews_end(visitor: Visitor) -> None:
    product = max(
        (item(number) for number in range(1, 40)), key=lambda one: len(reviews.reviews(one, 0))
    )
    number, texts = 1, list[str]()
    while number:
        page = json.loads(visitor.ask(f"/api/reviews/{product.slug}?page={number}").body)
        texts += [review["text"] for review in page["reviews"]]
        number = page["next"]
    assert len(texts) == page["total"] > 10
    beyond = json.loads(visitor.ask(f"/api/reviews/{product.slug}?page=99").body)
    assert (beyond["reviews"], beyond["next"]) == ([], None)
    assert visitor.ask(f"/api/reviews/{product.slug}?page=0").status == 404


def test_machine_readable_price_is_the_price_shown(visitor: Visitor) -> None:
    text = visitor.at(3).ask(item(6).path).text
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text)
    assert found
    data = json.loads(found[1])
    assert data["@type"] == "Product"
    assert f"€{data['offers']['price']}" in price_in(visitor, 6)
    assert f'<meta property="product:price:amount" content="{data["offers"]["price"]}">' in text
    assert text.count('itemprop="itemListElement"') == 2


def token(visitor: Visitor) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', visitor.ask("/login").text)
    assert found
    return found[1]


def test_signing_in_and_out(visitor: Visitor) -> None:
    closed = visitor.ask("/account")
    assert (closed.status, closed.headers["location"]) == (303, "/login")
    answer = visitor.ask("/login", {"csrf": token(visitor), "user": "demo", "password": "demo"})
    assert (answer.status, answer.headers["location"]) == (303, "/account")
    assert "Hello, demo" in visitor.ask("/account").text
    assert visitor.ask("/logout", {}).status == 303
    assert visitor.ask("/account").status == 303


def test_signing_in_needs_the_token_and_the_password(visitor: Visitor) -> None:
    good = {"user": "demo", "password": "demo"}
    assert visitor.ask("/login", good).status == 403
    assert visitor.ask("/login", {**good, "csrf": token(visitor) + "0"}).status == 403
    wrong = visitor.ask("/login", {"user": "demo", "password": "x", "csrf": token(visitor)})
    assert (wrong.status, "password is wrong" in wrong.text) == (401, True)
    visitor.cookies["session"] = "demo.00000000000000000000000000000000"
    assert visitor.ask("/account").status == 303


def test_the_basket_keeps_and_loses_things(visitor: Visitor) -> None:
    slug = item(4).slug
    assert visitor.ask("/cart", {"product": slug, "number": "2"}).status == 303
    visitor.ask("/cart", {"product": slug})
    cart = visitor.ask("/cart").text
    assert "Basket <b>3</b>" in cart
    assert f"<b>€{3 * item(4).list_price / 100:,.2f}</b>" in cart
    visitor.ask("/cart", {"product": slug, "remove": "1"})
    assert "Your basket is empty" in visitor.ask("/cart").text
    assert visitor.ask("/cart", {"product": "none"}).status == 400


def test_the_newsletter_wants_an_address(visitor: Visitor) -> None:
    assert visitor.ask("/newsletter", {"email": "nobody"}).status == 400
    assert (
        visitor.ask("/newsletter", {"email": "a@example.org"}).headers["location"]
        == "/newsletter/thanks"
    )


def test_the_cookie_banner_is_remembered(visitor: Visitor) -> None:
    assert 'id="cookies"' in visitor.ask("/").text
    visitor.cookies["consent"] = "all"
    assert 'id="cookies"' not in visitor.ask("/").text


def test_the_sitemap_lists_everything(visitor: Visitor) -> None:
    home = f"http://shop.localhost:{visitor.server.port}"
    assert f"Sitemap: {home}/sitemap.xml" in visitor.ask("/robots.txt").text
    listed = re.findall(r"<loc>(.*?)</loc>", visitor.ask("/sitemap.xml").text)
    assert len(listed) == len(set(listed))
    assert {f"{home}{one.product.path}" for one in catalogue.everything(0)} <= set(listed)
    assert len(catalogue.everything(0)) == 342


def test_no_link_of_a_bounded_crawl_is_dead(visitor: Visitor) -> None:
    home = f"http://shop.localhost:{visitor.server.port}/"
    seen, waiting = {home}, [home]
    for _ in range(250):
        address = waiting.pop(0)
        parts = urlsplit(address)
        answer = visitor.ask(f"{parts.path}?{parts.query}" if parts.query else parts.path)
        assert answer.status < 400, address
        if not answer.headers["content-type"].startswith("text/html"):
            continue
        for link in re.findall(r'(?:href|src|action)="([^"#]+)"', answer.text):
            target = urljoin(address, unescape(link))
            if (
                target.startswith(home)
                and target not in seen
                and "/newsletter" not in target
                and "/logout" not in target
            ):
                seen.add(target)
                waiting.append(target)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed")
def test_in_a_browser_reviews_grow_and_the_banner_goes(visitor: Visitor, chromium: Browser) -> None:
    product = next(one for one in map(item, range(1, 60)) if len(reviews.reviews(one, 0)) > 10)
    context = chromium.new_context()
    tab = context.new_page()
    tab.goto(visitor.server.url("shop", product.path))
    tab.click("[data-consent=all]")
    while tab.locator(".more").count():
        shown = tab.locator(".review").count()
        tab.click(".more")
        tab.wait_for_function(f"document.querySelectorAll('.review').length > {shown}")
    assert tab.locator(".review").count() == len(reviews.reviews(product, 0))
    tab.reload()
    assert tab.locator("#cookies").count() == 0
    assert tab.evaluate("document.fonts.check('20px \"Webgeist Display\"')")
    context.close()
