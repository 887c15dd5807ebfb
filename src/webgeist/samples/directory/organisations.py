"""The register's 120 organisations, made up from one seed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from webgeist.samples.prose import PLACES, Prose

COUNT = 120
REGIONS = ("Coast", "Highlands", "Islands", "Midlands", "North", "Valleys")
KINDS = (
    "Allotment Society",
    "Beekeepers",
    "Choral Union",
    "Community Kitchen",
    "Cycle Campaign",
    "Energy Co-operative",
    "Film Club",
    "Harbour Trust",
    "Heritage Railway",
    "History Circle",
    "Lifeboat Station",
    "Music School",
    "Repair Workshop",
    "River Watch",
    "Rowing Club",
    "Seed Library",
    "Theatre Company",
    "Woodland Trust",
)
FORMS = ("Association", "Charity", "Co-operative", "Trust", "Unincorporated club")
POSTS = ("Chair", "Secretary", "Treasurer", "Welfare officer", "Trustee", "Trustee")


@dataclass(frozen=True)
class Officer:
    name: str
    post: str
    since: int


@dataclass(frozen=True)
class Organisation:
    name: str
    place: str
    number: str
    region: str
    form: str
    founded: date
    members: int
    income: int
    purpose: str
    history: tuple[str, ...]
    officers: tuple[Officer, ...]

    @property
    def slug(self) -> str:
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")

    @property
    def path(self) -> str:
        return f"/organisations/{self.slug}"

    @property
    def letter(self) -> str:
        return self.name[0]


def organisations() -> tuple[Organisation, ...]:
    """All of them, by name."""
    prose = Prose("directory")
    names: dict[str, str] = {}
    while len(names) < COUNT:
        place = prose.pick(PLACES)
        names[f"{place} {prose.pick(KINDS)}"] = place
    return tuple(_organisation(name, names[name]) for name in sorted(names))


def _organisation(name: str, place: str) -> Organisation:
    prose = Prose(f"directory {name}")
    founded = date(prose.number(1890, 2018), prose.number(1, 12), prose.number(1, 28))
    return Organisation(
        name=name,
        place=place,
        number=f"R{prose.number(100_000, 999_999)}",
        region=REGIONS[PLACES.index(place) % len(REGIONS)],
        form=prose.pick(FORMS),
        founded=founded,
        members=prose.number(12, 900),
        income=prose.number(4, 480) * 1000,
        purpose=prose.sentence(),
        history=tuple(prose.paragraph(4) for _ in range(2)),
        officers=tuple(_officers(prose, founded.year)),
    )


def _officers(prose: Prose, founded: int) -> list[Officer]:
    posts = POSTS[: prose.number(3, len(POSTS))]
    return [Officer(prose.person(), post, prose.number(max(founded, 2008), 2025)) for post in posts]
