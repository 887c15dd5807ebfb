"""What somebody is told: an important change of a page, or another answer to a query. Pure."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from webgeist.analyses.changes.change import Change
    from webgeist.analyses.changes.regions import Region

_REGIONS = 5  # of a change that are told
_ROWS = 20  # of an answer, each way
_TITLE = 150  # characters


@dataclass(frozen=True)
class Notice:
    """`id` is the same whenever the same is told: who gets it twice can tell."""

    id: str
    kind: str  # change or query
    subject: str  # a page's URL, or a query
    reason: str
    facts: dict[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it: what is common to all, then what this kind has."""
        common = {name: value for name, value in asdict(self).items() if name != "facts"}
        return common | self.facts

    @property
    def headline(self) -> str:
        what = "changed" if self.kind == "change" else "has another answer"
        return f"{self.subject} {what}: {self.reason}"

    @property
    def title(self) -> str:
        """The headline as one short line, for messages that have such."""
        return " ".join(self.headline.split())[:_TITLE]

    @property
    def text(self) -> str:
        """All of it for people, on lines of its own."""
        lines = [self.subject, "", self.reason]
        for region in self.facts.get("regions", ()):
            lines += ["", f"{region['kind']}, {region['place']} {region['type']}"]
            lines += [f"- {region['text_before']}"] if region["text_before"] else []
            lines += [f"+ {region['text_after']}"] if region["text_after"] else []
        for sign, name in (("-", "gone"), ("+", "came")):
            lines += [f"{sign} {row}" for row in self.facts.get(name, ())]
        return "\n".join([*lines, "", f"webgeist watch, notice {self.id}", ""])


def dump(notice: Notice) -> str:
    return json.dumps(asdict(notice), ensure_ascii=False)


def load(text: str) -> Notice:
    return Notice(**json.loads(text))


def change_notice(url: str, viewport: str, before: str, after: str, change: Change) -> Notice:
    facts = {
        "viewport": viewport,
        "before": before,
        "after": after,
        "score": change.score,
        "regions": [_region(region) for region in change.regions[:_REGIONS]],
    }
    return Notice(_id("change", before, after), "change", url, change.reason, facts)


def _region(region: Region) -> dict[str, Any]:
    raw = asdict(region)
    return {name: raw[name] for name in ("kind", "place", "type", "text_before", "text_after")}


def query_notice(query: str, old: list[str], new: list[str]) -> Notice:
    """Both answers as sorted lines of JSON."""
    gone, came = _without(old, new), _without(new, old)
    reason = f"{len(came)} rows came, {len(gone)} went, of {len(new)} now"
    facts = {
        "came": [json.loads(row) for row in came[:_ROWS]],
        "gone": [json.loads(row) for row in gone[:_ROWS]],
    }
    return Notice(_id("query", query, *old, "->", *new), "query", query, reason, facts)


def _without(rows: list[str], others: list[str]) -> list[str]:
    return sorted((Counter(rows) - Counter(others)).elements())


def _id(*parts: str) -> str:
    return sha256("\0".join(parts).encode()).hexdigest()[:16]
