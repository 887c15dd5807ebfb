"""From a template to an answer: what the sites that are drawn with Jinja2 share."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from starlette.requests import Request


class Renderer:
    """The templates of one site package. Every page knows its own origin and that of other hosts."""

    def __init__(self, package: str, **filters: Callable[..., object]) -> None:
        self._environment = Environment(
            loader=PackageLoader(package),
            autoescape=select_autoescape(default=True),
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters.update(filters)

    def page(
        self, request: Request, template: str, status: int = 200, **context: object
    ) -> HTMLResponse:
        return HTMLResponse(self.text(request, template, **context), status)

    def text(self, request: Request, template: str, **context: object) -> str:
        return self._environment.get_template(template).render(
            request=request,
            origin=origin(request),
            host=lambda name: f"http://{name}.localhost:{request.url.port or 80}",
            **context,
        )


def origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.url.netloc}"


async def form(request: Request) -> dict[str, str]:
    """The fields of an urlencoded form; Starlette's own parser needs one more dependency."""
    return dict(parse_qsl((await request.body()).decode(), keep_blank_values=True))


def static(package: str) -> Mount:
    """The package's `static` folder under /static."""
    return Mount("/static", StaticFiles(packages=[(package, "static")]))


def robots(request: Request, *disallowed: str) -> PlainTextResponse:
    rules = "".join(f"Disallow: {path}\n" for path in disallowed) or "Disallow:\n"
    return PlainTextResponse(f"User-agent: *\n{rules}\nSitemap: {origin(request)}/sitemap.xml\n")


def sitemap(request: Request, paths: Iterable[str]) -> Response:
    home = origin(request)
    places = "\n".join(f"  <url><loc>{escape(home + path)}</loc></url>" for path in paths)
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{places}\n</urlset>\n'
    )
    return Response(body, media_type="application/xml")
