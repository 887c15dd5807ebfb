"""The shop, over a real socket: its lists are complete, its days as documented, its doors locked."""

from __future__ import annotations

import json
import re
from html import unescape
from http.cookies import SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

import pytest

from webgeist.samples.shop import catalogue, paging, reviews
from webgeist.samples.shop.categories import BY_SLUG, CATEGORIES

if TYPE_CHECKING:
    from playwright.sync_api import Page
    from tests.samples.conftest import Answer, Visitor

    from webgeist.samples.shop.catalogue import Product
    from webgeist.samples.shop.categories import Category

SITE = "shop"
KITCHEN = BY_SLUG["kitchen"]


class Customer:
    """A visitor who keeps the shop's cookies, as a browser would."""

    def __init__(self, visitor: Visitor) -> None:
        self.visitor = visitor
        self.cookies: dict[str, str] = {}

    def ask(self, path: str, fields: dict[str, str] | None = None) -> Answer:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = self.visitor.ask(path, fields, **({"cookie": cookie} if cookie else {}))
        for line in answer.headers.get_all("set-cookie") or []:
            for name, morsel in SimpleCookie(line).items():
                self.cookies[name] = morsel.value
                if morsel["max-age"] == "0":
                    del self.cookies[name]
        return answer


@pytest.fixture
def customer(visitor: Visitor) -> Customer:
    return Customer(visitor)


def cards(text: str) -> list[str]:
    return re.findall(r'<li class="card">\s*<a href="/p/([^"]+)"', text)


def item(number: int) -> Product:
    return catalogue.product(KITCHEN, number)


def walk(visitor: Visitor, path: str) -> list[list[str]]:
    """The cards of each page, following the links that say rel=next."""
    pages: list[list[str]] = []
    following: re.Match[str] | None = None
    while following or not pages:
        text = visitor.page(unescape(following[1]) if following else path)
        pages.append(cards(text))
        following = re.search(r'<a class="step" rel="next" href="([^"]+)"', text)
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
    assert f'<link rel="next" href="{visitor.url("/c/kitchen?page=4")}">' in text
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
    assert cards(visitor.page("/search?q=zeppelin")) == []
    assert "&lt;script" in visitor.ask("/search?q=<script>x</script>").text


def test_the_same_clock_gives_the_same_bytes(traveller: Visitor) -> None:
    pages = traveller.pages
    first = [traveller.ask(path).body for path in pages]
    moved = [traveller.at(1).ask(path).body for path in pages]
    assert all(one != other for one, other in zip(first, moved, strict=True))
    catalogue.product.cache_clear()
    traveller.at(0)
    assert [traveller.ask(path).body for path in pages] == first


@pytest.mark.parametrize("category", ["kitchen", "garden"])
def test_each_day_brings_one_product_at_the_head(traveller: Visitor, category: str) -> None:
    before = [slug for page in walk(traveller, f"/c/{category}") for slug in page]
    after = [slug for page in walk(traveller.at(1), f"/c/{category}") for slug in page]
    assert after[1:] == before
    assert traveller.ask(f"/p/{after[0]}").status == 200
    assert traveller.at(0).ask(f"/p/{after[0]}").status == 404


def price_in(visitor: Visitor, number: int) -> str:
    found = re.search(
        r'<div class="facts">.*?<p class="price">(.*?)</p>',
        visitor.ask(item(number).path).text,
        re.DOTALL,
    )
    assert found
    return found[1]


def test_day_2_prices(traveller: Visitor) -> None:
    old = item(6).list_price
    assert price_in(traveller.at(1.9), 6) == f"<span>€{old / 100:,.2f}</span>"
    assert (
        price_in(traveller.at(2), 6)
        == f"<ins>€{round(old * 0.9) / 100:,.2f}</ins> <del>€{old / 100:,.2f}</del>"
    )
    assert price_in(traveller.at(1), 4) == price_in(traveller.at(9), 4)


def test_day_4_reviews(traveller: Visitor) -> None:
    def total(number: int) -> int:
        return int(json.loads(traveller.ask(f"/api/reviews/{item(number).slug}").body)["total"])

    traveller.at(3)
    before = total(5), total(6)
    traveller.at(4)
    assert (total(5), total(6)) == (before[0] + 1, before[1])


def test_day_6_sold_out(traveller: Visitor) -> None:
    assert "Add to basket" in traveller.at(5).ask(item(8).path).text
    sold_out = traveller.at(6).ask(item(8).path).text
    assert "Add to basket" not in sold_out
    assert "schema.org/OutOfStock" in sold_out
    assert "Add to basket" in traveller.ask(item(9).path).text


def test_campaigns_change_weekly_and_counters_hourly(traveller: Visitor) -> None:
    def headline(day: int) -> list[str]:
        return re.findall(r"<h1>(.*?)</h1>", traveller.at(day).ask("/").text)

    assert len(headline(0)) == 1
    assert headline(6) == headline(0)
    assert headline(7) != headline(0)
    assert "Stock counted 9 hours ago" in traveller.at(0).ask("/").text
    assert "Stock counted 10 hours ago" in traveller.at(1 / 24).ask("/").text


def test_advertisements_rotate_daily(traveller: Visitor) -> None:
    def seen(day: int) -> tuple[str, str]:
        traveller.at(day)
        inline = re.findall(r"Sponsored by ([^<]+)", traveller.ask("/").text)[0]
        return inline, traveller.ask("/banner/leaderboard", site="ads").text

    assert len({seen(day)[0] for day in range(6)}) == 6
    assert len({seen(day)[1] for day in range(6)}) == 6
    frame = f'src="http://ads.localhost:{traveller.server.port}/banner/leaderboard"'
    assert frame in traveller.ask("/").text


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


def test_machine_readable_price_is_the_price_shown(traveller: Visitor) -> None:
    text = traveller.at(3).ask(item(6).path).text
    found = re.search(r'<script type="application/ld\+json">(.*?)</script>', text)
    assert found
    data = json.loads(found[1])
    assert data["@type"] == "Product"
    assert f"€{data['offers']['price']}" in price_in(traveller, 6)
    assert f'<meta property="product:price:amount" content="{data["offers"]["price"]}">' in text
    assert text.count('itemprop="itemListElement"') == 2


def token(customer: Customer) -> str:
    found = re.search(r'name="csrf" value="([^"]+)"', customer.ask("/login").text)
    assert found
    return found[1]


def test_signing_in_and_out(customer: Customer) -> None:
    closed = customer.ask("/account")
    assert (closed.status, closed.headers["location"]) == (303, "/login")
    answer = customer.ask("/login", {"csrf": token(customer), "user": "demo", "password": "demo"})
    assert (answer.status, answer.headers["location"]) == (303, "/account")
    assert "Hello, demo" in customer.ask("/account").text
    assert customer.ask("/logout", {}).status == 303
    assert customer.ask("/account").status == 303


def test_signing_in_needs_the_token_and_the_password(customer: Customer) -> None:
    good = {"user": "demo", "password": "demo"}
    assert customer.ask("/login", good).status == 403
    assert customer.ask("/login", {**good, "csrf": token(customer) + "0"}).status == 403
    wrong = customer.ask("/login", {"user": "demo", "password": "x", "csrf": token(customer)})
    assert (wrong.status, "password is wrong" in wrong.text) == (401, True)
    customer.cookies["session"] = "demo.00000000000000000000000000000000"
    assert customer.ask("/account").status == 303


def test_the_basket_keeps_and_loses_things(customer: Customer) -> None:
    slug = item(4).slug
    assert customer.ask("/cart", {"product": slug, "number": "2"}).status == 303
    customer.ask("/cart", {"product": slug})
    cart = customer.ask("/cart").text
    assert "Basket <b>3</b>" in cart
    assert f"<b>€{3 * item(4).list_price / 100:,.2f}</b>" in cart
    customer.ask("/cart", {"product": slug, "remove": "1"})
    assert "Your basket is empty" in customer.ask("/cart").text
    assert customer.ask("/cart", {"product": "none"}).status == 400


def test_the_newsletter_wants_an_address(visitor: Visitor) -> None:
    assert visitor.ask("/newsletter", {"email": "nobody"}).status == 400
    assert (
        visitor.ask("/newsletter", {"email": "a@example.org"}).headers["location"]
        == "/newsletter/thanks"
    )


def test_the_cookie_banner_is_remembered(customer: Customer) -> None:
    assert 'id="cookies"' in customer.ask("/").text
    customer.cookies["consent"] = "all"
    assert 'id="cookies"' not in customer.ask("/").text


def test_the_sitemap_lists_everything(visitor: Visitor) -> None:
    assert f"Sitemap: {visitor.url('/sitemap.xml')}" in visitor.ask("/robots.txt").text
    listed = re.findall(r"<loc>(.*?)</loc>", visitor.ask("/sitemap.xml").text)
    assert len(listed) == len(set(listed))
    assert {visitor.url(one.product.path) for one in catalogue.everything(0)} <= set(listed)
    assert len(catalogue.everything(0)) == 342


def test_no_link_of_a_bounded_crawl_is_dead(visitor: Visitor) -> None:
    home = visitor.url()
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


def test_in_a_browser_reviews_grow_and_the_banner_goes(visitor: Visitor, tab: Page) -> None:
    product = next(one for one in map(item, range(1, 60)) if len(reviews.reviews(one, 0)) > 10)
    tab.goto(visitor.url(product.path))
    tab.click("[data-consent=all]")
    while tab.locator(".more").count():
        shown = tab.locator(".review").count()
        tab.click(".more")
        tab.wait_for_function(f"document.querySelectorAll('.review').length > {shown}")
    assert tab.locator(".review").count() == len(reviews.reviews(product, 0))
    tab.reload()
    assert tab.locator("#cookies").count() == 0
    assert tab.evaluate("document.fonts.check('20px \"Webgeist Display\"')")
