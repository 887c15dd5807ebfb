"""The tables of contents of the three manuals, as read from outline.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Any


@dataclass(frozen=True)
class Chapter:
    path: str
    title: str
    lead: str
    topics: tuple[str, ...]


@dataclass(frozen=True)
class Section:
    path: str
    title: str
    lead: str
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True)
class Manual:
    """One sub-site: its sections are its main menu, a section's chapters its local menu."""

    slug: str
    title: str
    short: str
    version: str
    tagline: str
    sections: tuple[Section, ...]

    @property
    def path(self) -> str:
        return f"/{self.slug}/"

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """All chapters in reading order."""
        return tuple(chapter for section in self.sections for chapter in section.chapters)

    @property
    def paths(self) -> list[str]:
        sections = [section.path for section in self.sections]
        return [self.path, *sections, *(c.path for c in self.chapters), f"{self.path}index"]


def slug(title: str) -> str:
    """The part of an address that stands for a title: lower case, hyphens, nothing else."""
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _section(manual: str, entry: dict[str, Any]) -> Section:
    path = f"/{manual}/{entry['slug']}/"
    chapters = tuple(
        Chapter(path + slug(title), title, lead, tuple(topics))
        for title, lead, topics in entry["chapters"]
    )
    return Section(path, entry["title"], entry["lead"], chapters)


def read_manuals() -> tuple[Manual, ...]:
    text = (files(__package__ or "") / "outline.toml").read_text(encoding="utf-8")
    manuals = []
    for entry in tomllib.loads(text)["manual"]:
        sections = tuple(_section(entry["slug"], section) for section in entry.pop("section"))
        manuals.append(Manual(**entry, sections=sections))
    return tuple(manuals)
