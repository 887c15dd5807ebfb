"""What the gallery shows: one exhibit per browser feature, as read from exhibits.toml."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True)
class Exhibit:
    """A page that is one template: /scripts/arabic is templates/scripts/arabic.html."""

    path: str
    title: str
    sentence: str
    lang: str = "en"
    dir: str = "ltr"
    quiet: bool = False  # a part of another exhibit: answered, but neither listed nor captured
    own: bool = False  # another view answers; here only for the list

    @property
    def template(self) -> str:
        return f"{self.path.strip('/')}.html"


@dataclass(frozen=True)
class Room:
    title: str
    exhibits: tuple[Exhibit, ...]

    @property
    def listed(self) -> tuple[Exhibit, ...]:
        return tuple(exhibit for exhibit in self.exhibits if not exhibit.quiet)


def read_rooms() -> tuple[Room, ...]:
    text = (files(__package__ or "") / "exhibits.toml").read_text(encoding="utf-8")
    return tuple(
        Room(room["title"], tuple(Exhibit(**exhibit) for exhibit in room["exhibit"]))
        for room in tomllib.loads(text)["room"]
    )
