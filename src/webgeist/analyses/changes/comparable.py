"""Whether two captures can be compared at all, and if not, why. Pure.

A page that stands in for another one (an error, a bot wall, a log-in form …) is told by three
things together: the other version's content is gone, next to nothing came for it, and what came
says what it is. Menus and footers may well be there: they count for neither.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from webgeist.capture.outcome import Outcome
from webgeist.capture.walls import phrases

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from webgeist.analyses.changes.portrait import Passage, Portrait
    from webgeist.capture.info import CaptureInfo

_FINE = frozenset({Outcome.OK, Outcome.TRUNCATED})
_FEW = 150  # words of its own: what stands in for a page has no more
_MANY = 3  # times as many words has the page that it stands for
_LEFT = 0.25  # share of the content's words that may be there all the same
_INSIDE = 2  # of the three nested regions of content
_HEADINGS = ("h1", "h2")


def _words_of(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


# What each of them says, in its title, a heading, or where the content should be.
_STAND_INS = {
    "an error page": _words_of(
        r"\b(?:404|403|410|500|502|503)\b|not (?:be )?found|can[^a-z]?t find|access denied"
        r"|forbidden|something went wrong|service unavailable|bad gateway|temporarily unavailable"
        r"|page (?:doesn[^a-z]?t|does not) exist|no longer available"
        r"|nicht gefunden|introuvable|no encontrada"
    ),
    "a bot wall": _words_of(r"captcha|are you a (?:human|robot)|robot"),
    "a page for maintenance": _words_of(
        r"\bmaintenance\b|\bbe (?:right )?back (?:soon|shortly|online)|wartungsarbeiten"
        r"|en mantenimiento|em manutenção|in manutenzione"
    ),
    "a page that was still loading": _words_of(
        r"^(?:loading|please wait|bitte warten|chargement|cargando|carregando|caricamento)\W*$"
        r"|(?:enable|requires?|needs?) javascript|javascript (?:is|to be) (?:disabled|enabled)"
    ),
    "a paywall": _words_of(
        r"subscribe to (?:read|continue|unlock)|(?:to|and) (?:continue|keep) reading"
        r"|already a subscriber|for subscribers only|jetzt weiterlesen|réservé aux abonnés"
    ),
}
_LOG_IN = _words_of(
    r"^(?:please )?(?:log|sign)[ -]?(?:in|on)\b|^(?:log-?in|anmelden|anmeldung|einloggen|connexion"
    r"|se connecter|iniciar sesi[oó]n|entrar|accedi|inloggen|logga in|zaloguj|войти|вход"
    r"|ログイン|登录|로그인)(?!\w)"
)
_PASSWORD = _words_of(
    r"pass(?:word|wort|code)|mot de passe|contraseña|senha|wachtwoord|lösenord|hasło|пароль"
    r"|パスワード|密码|비밀번호"
)


def obstacle(one: CaptureInfo, other: CaptureInfo) -> str | None:
    """What keeps two captures from being compared, by how they were taken."""
    for which, info in (("first", one), ("second", other)):
        if info.outcome not in _FINE:
            why = f": {info.reason}" if info.reason else ""
            return f"the {which} capture is no page but {info.outcome}{why}"
    if one.viewport.width != other.viewport.width:
        return (
            f"the captures have different viewports: "
            f"{one.viewport.width} and {other.viewport.width} pixels wide"
        )
    return None


def stand_in(one: Portrait, other: Portrait) -> str | None:
    """Whether one of them shows nothing, or what stands in for the page."""
    for which, page in (("first", one), ("second", other)):
        if not page.passages:
            return f"the {which} capture shows nothing"
    for which, page, rest in (("first", one, other), ("second", other, one)):
        own = _only_in(page, rest)
        title = page.title if page.title != rest.title else ""
        if _replaces(page, own, rest) and (said := _said(title, own)):
            return f"the {which} capture is {said}"
    return None


def _only_in(page: Portrait, other: Portrait) -> list[Passage]:
    there = {passage.text for passage in other.passages}
    return [passage for passage in page.passages if passage.text not in there]


def _replaces(page: Portrait, own: Sequence[Passage], other: Portrait) -> bool:
    """Whether the other's content is gone, and little came for it."""
    content = [passage for passage in other.passages if passage.within >= _INSIDE]
    here = {passage.text for passage in page.passages}
    left = _words([passage for passage in content if passage.text in here])
    came, went = _words(own), _words(_only_in(other, page))
    return left <= _LEFT * _words(content) and came <= _FEW and went >= _MANY * came


def _words(passages: Sequence[Passage]) -> int:
    return sum(passage.words for passage in passages)


def _said(title: str, own: Sequence[Passage]) -> str | None:
    """What it is, and the words that say so."""
    told = [title, *_told(own)]
    for what, pattern in _STAND_INS.items():
        for text in told:
            if match := pattern.search(text):
                return f"{what}: {match[0]!r}"
    if walls := phrases(" . ".join(told)):
        return f"a bot wall: {walls[0]!r}"
    return _log_in(told, own)


def _told(own: Sequence[Passage]) -> Iterator[str]:
    """What stands in headings, or where the content should be."""
    for passage in own:
        if passage.within or passage.tag in _HEADINGS:
            yield passage.text


def _log_in(told: Sequence[str], own: Sequence[Passage]) -> str | None:
    """A page that is called so and asks for a password."""
    asked = any(_PASSWORD.search(passage.text) for passage in own)
    called = (match for text in told if (match := _LOG_IN.search(text.strip())))
    first = next(called, None)
    return f"a log-in page: {first[0]!r}" if asked and first else None
