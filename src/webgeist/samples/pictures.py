"""Pictures for the sample sites, drawn from a seed: photographs as JPEG, illustrations as SVG.

A seed may begin with a kind and a hyphen ("landscape-7", "product-mug-3", "portrait-ada",
"abstract-1"); without one of these the seed itself decides the kind.
"""

from __future__ import annotations

from colorsys import hls_to_rgb
from functools import lru_cache
from io import BytesIO
from random import Random

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFilter

from webgeist.samples import still_life

Rgb = tuple[int, int, int]
Field = NDArray[np.float32]

KINDS = ("landscape", "product", "portrait", "abstract")
LARGEST = 2400  # pixels on a side; a web page that asks for more gets this


@lru_cache(maxsize=512)
def photo(seed: str, width: int, height: int) -> bytes:
    """A JPEG of exactly this size. The same seed shows the same scene at every size."""
    width, height = min(width, LARGEST), min(height, LARGEST)
    kind = seed.split("-", 1)[0]
    if kind not in KINDS:
        kind = Random(seed).choice(KINDS)
    image = _DRAW[kind](Random(f"{kind} {seed}"), width, height, seed)
    image = _with_grain(image, seed)
    out = BytesIO()
    image.save(out, "JPEG", quality=82, optimize=False, progressive=False)
    return out.getvalue()


@lru_cache(maxsize=512)
def svg(seed: str, width: int, height: int) -> str:
    """A flat vector mark: a few overlapping shapes in one palette, as logos and icons have."""
    random = Random(f"svg {seed}")
    hue = random.random()
    back, *inks = [_hex(_colour(hue + step, light)) for step, light in _MARK_COLOURS]
    shapes = "".join(_shape(random, ink) for ink in inks)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" role="img">'
        f'<rect x="-200" y="-200" width="500" height="500" fill="{back}"/>{shapes}</svg>'
    )


_MARK_COLOURS = ((0.0, 0.93), (0.0, 0.45), (0.08, 0.6), (0.5, 0.55))


def _shape(random: Random, ink: str) -> str:
    x, y, size = random.randint(25, 75), random.randint(25, 75), random.randint(14, 32)
    match random.randrange(4):
        case 0:
            return f'<circle cx="{x}" cy="{y}" r="{size}" fill="{ink}" opacity=".9"/>'
        case 1:
            return f'<rect x="{x - size}" y="{y - size}" width="{2 * size}" height="{2 * size}" rx="8" fill="{ink}" opacity=".9"/>'
        case 2:
            return f'<path d="M{x} {y - size}L{x + size} {y + size}H{x - size}Z" fill="{ink}" opacity=".9"/>'
        case _:
            return f'<path d="M{x - size} {y}a{size} {size} 0 0 1 {2 * size} 0z" fill="{ink}" opacity=".9"/>'


def _landscape(random: Random, width: int, height: int, _seed: str) -> Image.Image:
    """Sky, sun, and ridges that darken as they come nearer."""
    hue = random.choice((0.55, 0.58, 0.62, 0.05, 0.95, 0.48))
    ground = hue + random.uniform(0.85, 1.1)
    image = _gradient(_colour(hue, 0.55), _colour(hue + 0.06, 0.88), width, height, 0.0)
    draw = ImageDraw.Draw(image)
    sun, x, y = 0.05 + 0.05 * random.random(), random.uniform(0.15, 0.85), random.uniform(0.15, 0.4)
    _disc(draw, x * width, y * height, sun * height, _colour(0.13, 0.9))
    for layer in range(5):
        waves = [
            (random.uniform(1, 3 + layer), random.uniform(0, 6), random.random()) for _ in range(3)
        ]
        base = 0.45 + 0.12 * layer
        points = _ridge(waves, base, 0.11 - 0.01 * layer, width, height)
        draw.polygon(points, fill=_colour(ground, 0.68 - 0.12 * layer, 0.3))
    return image


def _ridge(
    waves: list[tuple[float, float, float]], base: float, swing: float, width: int, height: int
) -> list[tuple[float, float]]:
    xs = np.linspace(0, 1, 80)
    ys = sum(np.sin(xs * 6.3 * f + p) * a for f, p, a in waves) * swing / 2 + base
    line = [(float(x) * width, float(y) * height) for x, y in zip(xs, np.asarray(ys), strict=True)]
    return [(0.0, float(height)), *line, (float(width), float(height))]


def _product(random: Random, width: int, height: int, seed: str) -> Image.Image:
    """The thing that the seed names, or any, before a plain wall and on a soft shadow."""
    thing = still_life.thing_in(seed) or random.choice(list(still_life.THINGS))
    hue, wall = random.random(), random.random()
    image = _gradient(_colour(wall, 0.95, 0.2), _colour(wall, 0.85, 0.2), width, height, 0.2)
    unit = min(width, height) / 100 * random.uniform(0.95, 1.15)
    image = _shadow(image, width / 2, height / 2 + 30 * unit, 20 * unit)
    tones = {
        "body": _colour(hue, random.uniform(0.35, 0.6), 0.38),
        "dark": _colour(hue, 0.22, 0.2),
        "light": _colour(hue + 0.03, 0.82, 0.35),
        "accent": _colour(hue + random.choice((0.1, 0.45, 0.55)), 0.62, 0.4),
        "leaf": _colour(0.36, 0.35, 0.35),
    }
    draw = ImageDraw.Draw(image)
    for shape, numbers, tone in still_life.strokes(thing):
        _stroke(draw, shape, _placed(shape, numbers, (width / 2, height / 2), unit), tones[tone])
    return image


def _placed(
    shape: str, numbers: list[float], middle: tuple[float, float], unit: float
) -> list[float]:
    """The numbers of a stroke in pixels; what is no place is only scaled, and angles stay."""
    places = len(numbers) if shape == "p" else 2 if shape == "o" else 4
    placed = [n * unit + middle[i % 2] for i, n in enumerate(numbers[:places])]
    sizes = [n * unit for n in numbers[places:]]
    return placed + (sizes if shape != "a" else [sizes[0], *numbers[5:]])


def _stroke(draw: ImageDraw.ImageDraw, shape: str, numbers: list[float], ink: Rgb) -> None:
    box = (numbers[0], numbers[1], numbers[2], numbers[3])
    match shape:
        case "r":
            draw.rounded_rectangle(box, radius=numbers[4], fill=ink)
        case "o":
            _oval(draw, box[0], box[1], box[2:], ink)
        case "h":
            draw.chord(box, 0, 180, fill=ink)
        case "a":
            draw.arc(box, numbers[5], numbers[6], fill=ink, width=max(1, round(numbers[4])))
        case _:
            draw.polygon(list(zip(numbers[::2], numbers[1::2], strict=True)), fill=ink)


def _portrait(random: Random, width: int, height: int, _seed: str) -> Image.Image:
    """Head and shoulders before a plain wall."""
    hue, skin = random.random(), random.choice((0.82, 0.72, 0.55, 0.4, 0.3))
    image = _gradient(_colour(hue, 0.8, 0.35), _colour(hue + 0.05, 0.62, 0.35), width, height, 0.4)
    draw = ImageDraw.Draw(image)
    x, y, unit = width / 2, height * 0.44, min(width, height) / 10
    _oval(draw, x, height * 1.08, (unit * 3.9, unit * 3.6), _colour(hue + 0.5, 0.4))
    _oval(
        draw, x, y - unit * 0.5, (unit * 2.15, unit * 2.5), _colour(0.07, random.uniform(0.1, 0.4))
    )
    draw.rectangle(
        (x - unit * 0.7, y, x + unit * 0.7, y + unit * 3), fill=_colour(0.06, skin - 0.08, 0.4)
    )
    _oval(draw, x, y, (unit * 1.7, unit * 2.1), _colour(0.06, skin, 0.45))
    return image


def _abstract(random: Random, width: int, height: int, _seed: str) -> Image.Image:
    """Large soft discs over a diagonal gradient, out of focus."""
    hue = random.random()
    image = _gradient(_colour(hue, 0.35), _colour(hue + 0.2, 0.7), width, height, 0.8)
    draw = ImageDraw.Draw(image)
    for _ in range(7):
        x, y, size = random.random(), random.random(), random.uniform(0.08, 0.3)
        ink = _colour(hue + random.uniform(-0.12, 0.25), random.uniform(0.3, 0.8))
        _disc(draw, x * width, y * height, size * max(width, height), ink)
    return image.filter(ImageFilter.GaussianBlur(max(width, height) / 60))


_DRAW = {
    "landscape": _landscape,
    "product": _product,
    "portrait": _portrait,
    "abstract": _abstract,
}


def _gradient(top: Rgb, bottom: Rgb, width: int, height: int, slant: float) -> Image.Image:
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    share: Field = np.clip(
        (down / max(height, 1) + slant * across / max(width, 1)) / (1 + slant), 0, 1
    )
    pixels = np.asarray(top) * (1 - share[..., None]) + np.asarray(bottom) * share[..., None]
    return Image.fromarray(pixels.astype(np.uint8), "RGB")


def _shadow(image: Image.Image, x: float, y: float, half: float) -> Image.Image:
    mask = Image.new("L", image.size, 0)
    ImageDraw.Draw(mask).ellipse(
        (x - half * 1.2, y - half * 0.2, x + half * 1.2, y + half * 0.3), fill=110
    )
    return Image.composite(
        Image.new("RGB", image.size, (40, 36, 44)),
        image,
        mask.filter(ImageFilter.GaussianBlur(half / 8)),
    )


def _with_grain(image: Image.Image, seed: str) -> Image.Image:
    """A little noise: without it a drawn picture compresses unlike any photograph."""
    noise = np.random.default_rng(list(seed.encode())).integers(
        -5, 6, (image.height, image.width, 1), dtype=np.int16
    )
    pixels = np.clip(np.asarray(image, dtype=np.int16) + noise, 0, 255)
    return Image.fromarray(pixels.astype(np.uint8), "RGB")


def _disc(draw: ImageDraw.ImageDraw, x: float, y: float, radius: float, ink: Rgb) -> None:
    _oval(draw, x, y, (radius, radius), ink)


def _oval(
    draw: ImageDraw.ImageDraw, x: float, y: float, half: tuple[float, float], ink: Rgb
) -> None:
    draw.ellipse((x - half[0], y - half[1], x + half[0], y + half[1]), fill=ink)


def _colour(hue: float, light: float, saturation: float = 0.5) -> Rgb:
    red, green, blue = hls_to_rgb(hue % 1, light, saturation)
    return round(red * 255), round(green * 255), round(blue * 255)


def _hex(colour: Rgb) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
