"""What forms say about themselves: their names, and the labels and names of what is in them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from webgeist.analyses.blocks.elements import Elements

_KINDS = {
    "SEARCH": re.compile(
        r"search|find\b|such|buscar|busca|búsqueda|pesquis|recherch|cerca\b|ricerca|zoek|szuk|hled|hľad|sök|søg|søk|haku"
        r"|keres|caut|căut|поиск|найти|пошук|търс|αναζ|ara\b|arama|tìm|cari\b|検索|搜索|搜尋|查询|검색|بحث|جستجو|חיפוש|ค้นหา",
        re.IGNORECASE,
    ),
    "LOGIN": re.compile(
        r"log-?_?in|sign-?_?in|passw|anmeld|einlogg|connexion|ingresar|entrar|accedi|вход|войти|ログイン|登录|登入|로그인",
        re.IGNORECASE,
    ),
    "SIGN_UP": re.compile(
        r"regist|sign-?_?up|create.{0,12}account|join\b|inscri|crear|criar|konto erstellen|реги"
        r"|登録|注册|註冊|가입",
        re.IGNORECASE,
    ),
    "FORGOTTEN": re.compile(
        r"forg[oe]t|lost.{0,9}passw|reset|recover|vergessen|oublié|olvid|esquec|dimentica|забыли|忘れ|忘记|忘記",
        re.IGNORECASE,
    ),
    "MAIL": re.compile(
        r"newsletter|subscri|e-?mail|abonn|iscriviti|suscr|подпис|メール", re.IGNORECASE
    ),
}
_NAMES = ("class", "id", "name", "action", "placeholder", "value", "title", "aria-label", "alt")
_MOST = 150  # nodes of a form that are asked


def form_notes(elements: Elements) -> Iterator[tuple[int, str, str]]:
    """SEARCH, LOGIN, SIGN_UP, FORGOTTEN and MAIL for the forms that say so anywhere."""
    page = elements.page
    for form in page.find("form"):
        inside = range(form, min(int(page.end[form]), form + _MOST))
        said = " ".join(elements.name_text(node, _NAMES) for node in inside)
        said += " " + elements.text(form)[:500]
        for kind, pattern in _KINDS.items():
            if found := pattern.search(said):
                yield form, kind, found.group()
