"""Words that change by themselves: dates, ages, counters, session ids. Pure.

Two texts that are equal once those are taken out differ by noise alone, and which noise it is can
be said. Typography is no difference either: quotation marks, dashes, capitals, spaces.
"""

from __future__ import annotations

import re
from collections import Counter

_MONTHS = (
    r"jan(?:uary|uar|vier|eiro)?|feb(?:ruary|ruar)?|f[eé]v(?:rier|ereiro)?|mar(?:ch|s|zo|ço)?|märz"
    r"|apr(?:il|ile)?|avr(?:il)?|abr(?:il)?|may|mai|mayo|maio|maj|june?|juni|juin|junio|junho|july?"
    r"|juli|juillet|julio|julho|aug(?:ust|usti)?|août|agosto|sept?(?:ember|embre|iembre)?"
    r"|o[ck]t(?:ober|obre|ubre)?|nov(?:ember|embre|iembre)?|de[cz](?:ember|embre|iembre)?"
    r"|déc(?:embre)?"
)
_NUMBER = r"\d{1,4}(?:st|nd|rd|th|er|º|\.)?"
_UNITS = (
    r"s|secs?|seconds?|mins?|minutes?|m|hrs?|hours?|h|days?|d|weeks?|w|months?|mo|years?|y"
    r"|sekunden?|minuten?|stunden?|tag(?:en?)?|wochen?|monat(?:en?)?|jahr(?:en?)?"
    r"|heures?|jours?|semaines?|mois|ans?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?"
)
_DASH = "[-\u2013]"
_CLOCK = r"\d{2}:\d{2}(?::\d{2})?(?:\.\d+)?(?:z|[+-]\d{2}:?\d{2})?"
_AMOUNT = r"\d+(?:[.,]\d+)*"
_NOISE = (
    # What something costs is no noise: it is matched here so that it is not taken for a number.
    (
        "price",
        (
            rf"(?:[$€£¥₹₽₩]|\b(?:usd|eur|gbp|chf|inr|jpy)\b)\s?{_AMOUNT}"
            rf"|\b{_AMOUNT}\s?(?:[$€£¥₹₽₩]|(?:usd|eur|euros?|gbp|chf|dollars|kr|zł)(?!\w))"
        ),
    ),
    ("id", r"\b(?=[0-9a-f-]*\d)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-z-]{10,}(?::[0-9a-f]+)?\b"),
    ("id", r"\b(?=[a-z_-]*\d)(?=\d*[a-z_])[0-9a-z_]{16,}\b|\b\d{9,}\b|\bguest\d+\b"),
    ("age", rf"\b(?:\d+|an?|one|few)\s?(?:{_UNITS})\s+ago\b"),
    ("age", rf"\b(?:vor|il y a|hace)\s+\d+\s+(?:{_UNITS})\b"),
    ("age", r"\b(?:yesterday|just now|gestern|hier|ayer)\b"),
    ("year", rf"(?:©|\(c\)|\bcopyright\b)[^\d]{{0,20}}\d{{4}}(?:\s?{_DASH}\s?\d{{4}})?"),
    (
        "date",
        rf"\b(?:{_NUMBER}\s*(?:de\s+)?)?(?:{_MONTHS})\.?\s*(?:de\s+)?(?:{_NUMBER})(?:,?\s*\d{{4}})?\b",
    ),
    ("date", rf"\b{_NUMBER}\s*(?:de\s+)?(?:{_MONTHS})\b\.?"),
    ("date", rf"\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}(?:[t ]{_CLOCK})?\b"),
    ("date", r"\b\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})\b"),
    ("time", r"\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\.?)?\b"),
    ("number", r"[-+]?\d+(?:[.,]\d+)*\s?[kmb%]?\b"),
)
_PATTERN = re.compile(
    "|".join(f"(?P<n{number}>{pattern})" for number, (_, pattern) in enumerate(_NOISE)),
    re.IGNORECASE,
)
_KIND = {f"n{number}": kind for number, (kind, _) in enumerate(_NOISE)}
_PRICE = "price"
KINDS = ("id", "age", "year", "date", "time", "number")
_FOLD = str.maketrans(
    {
        **dict.fromkeys("\u2018\u2019\u201a\u201b`\u00b4\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\u2033", '"'),
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015", "-"),
        **dict.fromkeys("\u200b\u200c\u200d\ufeff\u00ad"),
        **dict.fromkeys("\u00a0\u202f\u2009", " "),
        "\u2026": "...",
    }
)
_TOKEN = re.compile(r"#\w+#|[\u3040-\u9fff]|[^\W_]+(?:'[^\W_]+)?")


def plain(text: str) -> str:
    """A text without what only typesetters see."""
    return " ".join(text.translate(_FOLD).casefold().split())


def steady(text: str) -> tuple[str, Counter[tuple[str, str]]]:
    """A plain text with its noise replaced by the noise's kind; and that noise."""
    noise: Counter[tuple[str, str]] = Counter()

    def replace(match: re.Match[str]) -> str:
        kind = _KIND[match.lastgroup or ""]
        if kind == _PRICE:
            return match[0]
        noise[kind, match[0]] += 1
        return f" #{kind}# "

    return " ".join(_PATTERN.sub(replace, text).split()), noise


def tokens(text: str) -> list[str]:
    """The words of a steady text; punctuation is none."""
    return _TOKEN.findall(text)
