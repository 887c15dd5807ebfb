"""The paper's seven tasks on boards.localhost, as scrapers in plain Python.

Each takes a run and a way to load pages. List pages are skip blocks themselves, with
`fresh=run.runs(0)`: after a failure those that were done are not loaded again, and the next full
run loads them all. Without skip blocks the same programs run with `NoSkipping`.
"""

from __future__ import annotations

import re
from contextlib import nullcontext
from itertools import count
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from webgeist.scrape.run import Run

    Load = Callable[[str], str]
    Task = Callable[[Run, Load], None]


class NoSkipping:
    """What programs see of a run, without any skipping; `rows` is what they put out."""

    def __init__(self) -> None:
        self.rows: list[dict[str, object]] = []

    def skip_block(self, *_: object, **__: object) -> list[Any]:
        return [nullcontext()]

    def output(self, **columns: object) -> None:
        self.rows.append(columns)

    def runs(self, _: int) -> None:
        return None

    def stop_after_duplicates(self, *_: object, **__: object) -> NoSkipping:
        return self

    @property
    def reached(self) -> bool:
        return False


def _pages(run: Run, load: Load, path: str, form: str) -> Iterator[list[tuple[str, ...]]]:
    """What a pattern finds on the pages of a list, page by page, until there is no next one.

    The caller's body is the body of the page's block.
    """
    for number in count(1):
        address = f"{path}?page={number}"
        for _ in run.skip_block("Page", address, fresh=run.runs(0)):
            text = load(address)
            yield re.findall(form, text, re.DOTALL)
            if 'rel="next"' not in text:
                return


_ITEM = r'<li class="item"><a href="([^"]+)">([^<]+)</a> <span>([^<]+)</span>'


def _details(run: Run, load: Load, path: str, name: str) -> None:
    for items in _pages(run, load, path, _ITEM):
        for address, title, place in items:
            for _ in run.skip_block(name, address, title):
                text = load(address)
                price = re.search(r"<dt>Price</dt><dd>(\d+)", text)
                run.output(title=title, place=place, price=price[1] if price else None)


def ads(run: Run, load: Load) -> None:
    _details(run, load, "/ads", "Ad")


def foundations(run: Run, load: Load) -> None:
    _details(run, load, "/foundations", "Foundation")


def rides(run: Run, load: Load) -> None:
    """Many rides lead to the same driver, who is looked at once."""
    form = r'<li class="ride"><b>([^<]+)</b> <span class="place">([^<]+)</span> <a href="([^"]+)"'
    for items in _pages(run, load, "/rides", form):
        for title, place, driver in items:
            for _ in run.skip_block("Driver", driver):
                name = re.search("<h1>([^<]+)", load(driver))
                run.output(driver=driver, name=name[1] if name else None)
            for _ in run.skip_block("Ride", title, place, driver):
                run.output(title=title, place=place, driver=driver)


def feed(run: Run, load: Load) -> None:
    """Nothing but list pages; the loop ends after thirty posts in a row that are known."""
    form = r'<li class="post" id="(post\d+)"><b>([^<]+)</b> <p>([^<]*)'
    enough = run.stop_after_duplicates(30, block="Post")
    for items in _pages(run, load, "/feed", form):
        for number, title, text in items:
            for _ in run.skip_block("Post", number):
                run.output(post=number, title=title, text=text)
        if enough.reached:
            return


def _restaurants(run: Run, load: Load) -> Iterator[tuple[str, str, str]]:
    for items in _pages(run, load, "/restaurants", _ITEM):
        for address, title, _ in items:
            for _ in run.skip_block("Restaurant", title, address):
                yield address, title, load(address)


def menus(run: Run, load: Load) -> None:
    for address, title, page in _restaurants(run, load):
        for menu in re.findall(rf'href="({address}/menus/[^"]+)"', page):
            for _ in run.skip_block("Menu", menu):
                dishes = re.findall(r'<tr class="dish"><td>([^<]+)</td><td>(\d+)', load(menu))
                for dish, price in dishes:
                    run.output(restaurant=title, menu=menu, dish=dish, price=int(price))


def features(run: Run, load: Load) -> None:
    for _, title, page in _restaurants(run, load):
        for name, value in re.findall("<tr><th>([^<]+)</th><td>([^<]+)", page):
            run.output(restaurant=title, feature=name, value=value)


def reviews(run: Run, load: Load) -> None:
    form = r'<li class="review" id="(\w+)"><b>([^<]+)</b> <p>([^<]*)'
    for address, title, _ in _restaurants(run, load):
        page = f"{address}/reviews?page=1"
        while page:
            text = load(page)
            for number, stars, words in re.findall(form, text):
                for _ in run.skip_block("Review", number, within="Restaurant"):
                    run.output(restaurant=title, stars=stars, text=words)
            found = re.search(r'rel="next" href="([^"]+)"', text)
            page = f"{address}/reviews{found[1]}" if found else ""


TASKS: dict[str, Task] = {
    "ads": ads,
    "rides": rides,
    "feed": feed,
    "foundations": foundations,
    "restaurants, menus": menus,
    "restaurants, features": features,
    "restaurants, reviews": reviews,
}
