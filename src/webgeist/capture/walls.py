"""Bot walls, CAPTCHAs and rate limits: pages that stand in place of the one asked for. Pure.

A wall is a small page that says so, mostly in words that its makers use everywhere. An article
about walls is longer; a form with a CAPTCHA asks for more than that. On doubt a page is a page.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from webgeist.page.model import Page

_MOST_NODES = 1_000
_MOST_WORDS = 200
_ENOUGH = 2  # pieces of evidence on a page that claims to be fine

_HEADERS = {
    "cf-mitigated": "challenge",
    "x-amzn-waf-action": "",
    "x-datadome": "protected",
}
_PHRASES = tuple(
    re.compile(phrase, re.IGNORECASE)
    for phrase in (
        r"\b(verify|confirm|prove|check)(ing)? (that |if )?you( a|')re (a )?(human|not a (ro)?bot)",
        r"\bare you (a )?(human|(ro)?bot)\b",
        r"\b(i'm|i am) not a robot\b",
        r"\b(you|your (browser|activity)) (were|was|are|looks?) (like )?(an? )?(ro)?bot\b",
        r"\bunusual (traffic|activity)\b",
        r"\bautomated (access|requests?|queries|traffic|tools?)\b",
        r"\bchecking (your browser|if the site connection is secure)\b",
        r"\benable javascript and cookies to continue\b",
        r"\bjust a moment\b",
        r"\bpardon our interruption\b",
        r"\bddos protection\b",
        r"\bpress (and|&) hold\b",
        r"\b(complete|passing) (the|a|this) (security|captcha) (check|challenge)\b",
        r"\bsecurity (check|verification)\b",
        r"\b(request|access|you have been|ip( address)? (has been|is)) (blocked|denied|banned)\b",
        r"\btoo many requests\b",
        r"\brate limit(ed| exceeded)\b",
        r"\btype the characters\b",
        r"\b(ray|incident|event|support|reference) ?(id|#|number)\b",
        r"\b(kein roboter|ungewöhnliche(r|n)? (datenverkehr|aktivität))",
        r"\b(pas un robot|trafic (inhabituel|anormal)|vérifi(er|ez|cation) que vous êtes humain)",
        r"\b(no soy un robot|no eres un robot|tráfico (inusual|poco habitual))",
        r"\b(non sono un robot|traffico (insolito|anomalo))",
        r"\b(não sou um robô|tráfego incomum)",
        r"\b(ben robot değilim|ik ben geen robot|nie jestem robotem)",
        r"(я не робот|подозрительн\w+ (трафик|активност))",
        r"(人机验证|安全验证|ロボットではありません|비정상적인 (트래픽|접근)|로봇이 아닙니다)",
    )
)
_MARKS = re.compile(
    r"challenges\.cloudflare\.com|cdn-cgi/challenge|challenge-(running|platform|form|error)"
    r"|captcha-delivery\.com|hcaptcha|recaptcha|g-recaptcha|funcaptcha|arkoselabs|px-captcha"
    r"|_incapsula_resource|awswaf|geetest|captcha|perimeterx|data-?dome",
    re.IGNORECASE,
)
_MARKED = ("id", "class", "src", "action", "name", "data-sitekey")
_ELEMENTS = frozenset({"div", "iframe", "script", "form", "input", "section"})
_FORM_FIELDS = frozenset({"password", "email", "tel", "search", "textarea"})


def wall(page: Page, status: int | None, headers: Mapping[str, str]) -> str | None:
    """What kind of wall a page is, in words; None if it is none."""
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return "too many requests (status 429)"
    named = {name.lower(): text.lower() for name, text in headers.items()}
    for name, text in _HEADERS.items():
        if name in named and text in named[name] and (status or 0) >= HTTPStatus.BAD_REQUEST:
            return f"a bot wall, by its header {name}"
    return _by_words(page, refused=(status or 0) >= HTTPStatus.BAD_REQUEST)


def phrases(words: str) -> list[str]:
    """What a text says that walls say. A piece of evidence, no verdict: articles say it too."""
    return [match[0] for phrase in _PHRASES if (match := phrase.search(words))]


def _by_words(page: Page, *, refused: bool) -> str | None:
    if len(page) > _MOST_NODES:
        return None
    words = f"{page.documents[0].title} . {page.text(0)}"
    if len(words.split()) > _MOST_WORDS:
        return None
    said = phrases(words)
    marks = set(_marks(page))
    evidence = len(said) + len(marks) - (0 if refused else _asks_for_more(page))
    if not said or evidence < (1 if refused else _ENOUGH):
        return None
    return f"a bot wall: {said[0]!r}"


def _marks(page: Page) -> Iterator[str]:
    """Names of makers of walls in the page's markup."""
    for node, name in enumerate(page.names):
        if name in _ELEMENTS:
            attributes = page.attributes(node)
            for key in _MARKED:
                if match := _MARKS.search(attributes.get(key, "")):
                    yield match[0].lower()
            if "data-sitekey" in attributes:
                yield "data-sitekey"


def _asks_for_more(page: Page) -> int:
    """Fields that no wall has: somebody's own form, which may well be protected."""
    return sum(
        name == "textarea" or page.attributes(node).get("type", "").lower() in _FORM_FIELDS
        for node, name in enumerate(page.names)
        if name in {"input", "textarea"}
    )
