"""What a text looks like: a number, a price, a date, an address, a word, a sentence."""

from __future__ import annotations

import re

_MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec"
_DAY = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}"
_NAMED_DAY = rf"({_MONTHS})[a-z]*\.?\s+\d|\d\.?\s+({_MONTHS})[a-z]*\b"
_SHAPES = (
    ("empty", re.compile(r"")),
    ("number", re.compile(r"[+-]?\d+([.,\s]\d{3})*([.,]\d+)?\s?%?|[+-]?[.,]?\d+")),
    ("price", re.compile(r"([$€£¥]|USD|EUR|GBP)\s*[\d.,]+.{0,20}|[\d.,]+\s*([$€£¥]|USD|EUR|GBP)")),
    ("date", re.compile(rf".{{0,12}}({_DAY}|{_NAMED_DAY}).{{0,14}}", re.IGNORECASE)),
    ("time", re.compile(r"\d{1,2}:\d{2}(:\d{2})?\s*([ap]\.?m\.?)?", re.IGNORECASE)),
    ("mail", re.compile(r"\S+@\S+\.\w+")),
    ("address", re.compile(r"(https?://|www\.)\S+")),
    ("phone", re.compile(r"\+?[\d() /-]{7,20}")),
    ("measure", re.compile(r"[\d.,/x -]+\s*[a-zA-Z\"'°%/]{1,8}\.?")),
    ("word", re.compile(r"\S+")),
    ("words", re.compile(r".{1,60}")),
)  # fmt: skip


def text_shape(text: str) -> str:
    """The first shape that fits the whole text."""
    stripped = text.strip()
    return next((name for name, form in _SHAPES if form.fullmatch(stripped)), "text")
