"""The files of the office: a title that no other has, who keeps it, and a mark on its own page."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from webgeist.samples.prose import PLACES, Prose

COUNTS = {"case": 19, "entry": 22, "arrival": 23, "late": 20, "notice": 14}


@dataclass(frozen=True)
class Record:
    number: int
    title: str
    keeper: str
    place: str
    mark: str


def record(kind: str, number: int) -> Record:
    prose = Prose(f"{kind} {number}")
    title = f"{prose.title(4)} ({number})"
    return Record(
        number, title, prose.person(), prose.pick(PLACES), f"{kind[0].upper()}-{number * 37}"
    )


def part(kind: str, page: int, size: int) -> tuple[list[Record], int]:
    """A page of a list, and how many pages there are."""
    count = COUNTS[kind]
    numbers = range(1, count + 1)[(page - 1) * size : page * size]
    return [record(kind, number) for number in numbers], -(-count // size)


def as_json(kind: str, page: int, size: int) -> dict[str, object]:
    found, pages = part(kind, page, size)
    return {"items": [asdict(each) for each in found], "page": page, "pages": pages}
