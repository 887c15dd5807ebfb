"""webgeist turns rendered web pages into data."""

__version__ = "0.1.0"
