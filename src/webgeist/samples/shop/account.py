"""Basket, sign-in with a CSRF token, and the account page behind it."""

from __future__ import annotations

from hmac import compare_digest
from typing import TYPE_CHECKING

from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from webgeist.samples import rendering
from webgeist.samples.shop import basket, catalogue

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from webgeist.samples.clock import Clock
    from webgeist.samples.shop.views import Shop


class Counter:
    """The handlers for what a visitor does rather than reads."""

    def __init__(self, clock: Clock, shop: Shop) -> None:
        self._clock = clock
        self._shop = shop

    def routes(self) -> list[Route]:
        return [
            Route("/cart", self.cart),
            Route("/cart", self.change_cart, methods=["POST"]),
            Route("/login", self.login),
            Route("/login", self.sign_in, methods=["POST"]),
            Route("/logout", self.sign_out, methods=["POST"]),
            Route("/account", self.account),
        ]

    async def cart(self, request: Request) -> Response:
        found = [
            (catalogue.find(slug, self._clock.days), number)
            for slug, number in basket.read(request).items()
        ]
        rows = [(one, number) for one, number in found if one]
        total = sum(one.price * number for one, number in rows)
        return self._shop.page(request, "cart.html", rows=rows, total=total)

    async def change_cart(self, request: Request) -> Response:
        """Adds (`number` may be given) or, with `remove`, takes out a product."""
        fields = await rendering.form(request)
        one = catalogue.find(fields.get("product", ""), self._clock.days)
        number = fields.get("number", "1")
        if one is None or not number.isdecimal():
            raise HTTPException(400)
        content, slug = basket.read(request), one.product.slug
        content[slug] = 0 if "remove" in fields else content.get(slug, 0) + int(number)
        answer = RedirectResponse("/cart", 303)
        answer.set_cookie("basket", basket.write(content), samesite="lax")
        return answer

    async def login(self, request: Request) -> Response:
        return self._login(request, failed=False)

    def _login(self, request: Request, *, failed: bool) -> Response:
        token = basket.sign(f"csrf-{self._clock.days}")
        status = 401 if failed else 200
        answer = self._shop.page(request, "login.html", status, token=token, failed=failed)
        answer.set_cookie("csrf", token, httponly=True, samesite="lax")
        return answer

    async def sign_in(self, request: Request) -> Response:
        fields = await rendering.form(request)
        token = fields.get("csrf", "")
        if not basket.verified(token) or token != request.cookies.get("csrf"):
            raise HTTPException(403)
        name = fields.get("user", "")
        password = basket.USERS.get(name)
        if password is None or not compare_digest(
            password.encode(), fields.get("password", "").encode()
        ):
            return self._login(request, failed=True)
        answer = RedirectResponse("/account", 303)
        answer.set_cookie("session", basket.sign(name), httponly=True, samesite="lax")
        return answer

    async def sign_out(self, request: Request) -> Response:
        del request
        answer = RedirectResponse("/", 303)
        answer.delete_cookie("session")
        return answer

    async def account(self, request: Request) -> Response:
        name = basket.user(request)
        if name is None:
            return RedirectResponse("/login", 303)
        orders = [one for one in catalogue.everything(0) if one.product.number == 12]
        return self._shop.page(request, "account.html", name=name, orders=orders)
