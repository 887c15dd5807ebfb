"""What the studio made: some of it stands elsewhere in the sample web."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    slug: str
    title: str
    year: int
    kind: str
    line: str
    colour: str
    site: str = ""  # the sample site that it shows, where there is one

    @property
    def path(self) -> str:
        return f"/work/{self.slug}"


PROJECTS = (
    Project(
        "tidewater", "Tidewater", 2026, "Identity", "A harbour that opens twice a day.", "#ff5a36"
    ),
    Project(
        "slow-shop",
        "Slow Shop",
        2025,
        "Commerce",
        "Selling fewer things, better.",
        "#6c8cff",
        "shop",
    ),
    Project(
        "margins",
        "Margins",
        2025,
        "Editorial",
        "A magazine that reads itself aloud.",
        "#00b37a",
        "magazine",
    ),
    Project(
        "north-light", "North Light", 2024, "Exhibition", "Forty lamps and one window.", "#f5c400"
    ),
    Project(
        "meridian",
        "Meridian",
        2024,
        "Documentation",
        "A manual people finish.",
        "#9b4dff",
        "manual",
    ),
    Project(
        "civic",
        "Civic",
        2023,
        "Public service",
        "One form instead of nine.",
        "#e8308c",
        "directory",
    ),
)
