"""Silhouettes of things one can buy, for product photographs.

Units are percent of the picture's shorter side, (0, 0) is its middle, y grows downwards and the
ground is at about 30. Each stroke is a shape, its numbers and a tone:
`r` rounded rectangle (box, radius), `o` oval (centre, half width, half height), `p` polygon,
`h` lower half of an ellipse (box), `a` open arc (box, line width, from, to).
"""

from __future__ import annotations

THINGS = {
    "lamp": "p -8 -30 8 -30 19 -2 -19 -2 body;r -1.5 -2 1.5 27 0 dark;o 0 28 12 3 dark",
    "pendant": "r -.5 -60 .5 -18 0 dark;p -4 -20 4 -20 24 6 -24 6 body;o 0 6 24 3 light",
    "lantern": "a -7 -34 7 -20 1.5 180 360 dark;p -12 -14 12 -14 6 -24 -6 -24 body;r -12 -15 12 28 2 dark;r -9 -11 9 24 1 light;o 0 12 3 7 accent",
    "chair": "r -16 -33 16 -10 4 body;r -13 -10 -10 2 0 dark;r 10 -10 13 2 0 dark;r -18 2 18 9 2 accent;r -16 9 -12 32 1 dark;r 12 9 16 32 1 dark",
    "armchair": "r -22 -28 22 16 9 body;r -17 0 17 14 4 light;r -29 -8 -16 22 6 dark;r 16 -8 29 22 6 dark;r -24 20 -20 31 1 accent;r 20 20 24 31 1 accent",
    "stool": "r -17 -8 17 -2 2 body;p -13 -2 -9 -2 -14 31 -18 31 dark;p 13 -2 9 -2 14 31 18 31 dark;r -13 14 13 17 1 dark",
    "table": "r -30 -10 30 -5 1 body;r -26 -5 -22 30 1 dark;r 22 -5 26 30 1 dark;r -22 -5 22 2 0 accent",
    "shelf": "r -18 -34 18 32 1 dark;r -15 -31 15 -12 0 light;r -15 -9 15 9 0 light;r -15 12 15 29 0 light;r -12 -25 -8 -12 0 body;r -7 -28 -4 -12 0 accent;r 3 -1 11 9 0 body;r -12 17 4 29 0 accent",
    "bowl": "h -25 -34 25 28 body;o 0 -3 25 4 light;r -8 26 8 30 1 dark",
    "pan": "r 12 16 40 20 2 dark;r -26 12 14 31 6 body;o -6 13 20 3 light",
    "mug": "a 8 -8 24 14 3.5 270 90 body;r -15 -18 15 26 4 body;r -15 -6 15 -1 0 accent;o 0 -17 15 3.5 dark",
    "kettle": "a -15 -32 15 8 3 190 350 dark;p 14 4 30 -10 33 -6 18 14 body;o 0 10 21 19 body;r -5 -14 5 -8 2 dark;r -20 8 20 12 0 accent",
    "carafe": "p -5 -32 5 -32 6 -8 18 28 -18 28 -6 -8 body;r -7 -34 7 -29 1 dark;p -12 12 12 12 17 27 -17 27 light",
    "box": "r -26 -6 26 26 4 body;r -27 -12 27 -4 3 dark;r -6 -17 6 -12 2 accent;r -20 8 -4 14 1 light",
    "grinder": "r -10 -6 10 28 2 body;o 0 -10 9 9 dark;r -2 -28 2 -16 1 accent;r -10 8 10 11 0 light",
    "cushion": "r -25 -22 25 28 11 body;r -25 -6 25 0 0 accent;r -25 6 25 9 0 light",
    "rug": "r -34 -20 34 28 1 body;r -30 -16 30 24 0 light;r -26 -12 26 20 0 body;r -18 -6 18 14 0 accent",
    "cloth": "p -24 -26 24 -26 26 28 8 24 -8 29 -26 25 body;p -24 -16 24 -16 24 -11 -24 -11 light;p -25 10 25 10 25 14 -25 14 accent",
    "book": "r -19 -28 19 29 2 body;r -19 -28 -13 29 2 dark;r -5 -18 13 -8 1 light;r 14 -28 16 29 0 accent",
    "pen": "p -20 22 -15 27 24 -24 19 -29 body;p -20 22 -15 27 -25 33 dark;p 6 -4 11 1 14 -3 9 -8 accent",
    "tray": "p -30 12 30 12 26 30 -26 30 body;r -32 8 32 14 2 dark;r -18 -6 -12 10 1 accent;r -9 -12 -5 10 1 light",
    "planter": "o -9 -20 5 15 leaf;o 9 -22 5 14 leaf;o 0 -26 5 17 leaf;p -19 -8 19 -8 14 29 -14 29 body;r -21 -12 21 -4 1 accent",
    "trowel": "p 0 33 -9 12 -7 -2 7 -2 9 12 light;r -1.5 -9 1.5 -2 0 dark;r -3.5 -34 3.5 -8 3 body",
    "can": "a -28 -8 -6 22 3 90 300 dark;p 10 12 33 -16 37 -12 12 22 body;r -18 -6 14 28 3 body;r -18 6 14 10 0 accent",
    "feeder": "p 0 -32 24 -12 -24 -12 body;r -16 -12 16 18 0 light;r -22 18 22 23 1 dark;o 0 2 6 6 dark",
}
_WORDS = {
    "stool bench": "stool",
    "pendant": "pendant",
    "lantern": "lantern",
    "lamp light": "lamp",
    "armchair": "armchair",
    "chair": "chair",
    "table desk": "table",
    "bookcase bookend": "shelf",
    "bowl": "bowl",
    "skillet": "pan",
    "mug": "mug",
    "kettle teapot": "kettle",
    "carafe": "carafe",
    "bin": "box",
    "grinder": "grinder",
    "cushion": "cushion",
    "rug": "rug",
    "throw curtain towel bedspread tablecloth": "cloth",
    "notebook planner": "book",
    "pen opener": "pen",
    "tray pencil": "tray",
    "planter": "planter",
    "trowel": "trowel",
    "can": "can",
    "feeder": "feeder",
}
_BY_WORD = {word: thing for words, thing in _WORDS.items() for word in words.split()}


def thing_in(seed: str) -> str | None:
    """The thing that the last telling word of a seed such as "product-oak-desk-lamp-3" names."""
    named = [_BY_WORD[word] for word in seed.split("-") if word in _BY_WORD]
    return named[-1] if named else None


def strokes(thing: str) -> list[tuple[str, list[float], str]]:
    """Shape, numbers and tone of each stroke, from back to front."""
    parts = [stroke.split() for stroke in THINGS[thing].split(";")]
    return [(shape, [float(number) for number in numbers], tone) for shape, *numbers, tone in parts]
