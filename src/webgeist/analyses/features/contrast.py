"""How well text stands out from what is behind it, by WCAG 2.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_WEIGHTS = np.array([0.2126, 0.7152, 0.0722])
_KNEE = 0.04045  # sRGB's own; WCAG prints 0.03928, between which lies no colour of 8 bits
_FLARE = 0.05  # light that a screen reflects
_OPAQUE = 3  # channels of a colour without alpha


def luminance(colours: ArrayLike) -> NDArray[np.float64]:
    """Relative luminance, 0 for black to 1 for white, of colours (..., 3) of 0 to 255."""
    parts = np.asarray(colours, np.float64) / 255
    linear = np.where(parts <= _KNEE, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    found: NDArray[np.float64] = linear @ _WEIGHTS
    return found


def contrast(foreground: ArrayLike, background: ArrayLike) -> NDArray[np.float64]:
    """The contrast ratio, from 1 to 21, of each foreground with its background.

    Foregrounds are (n, 3) or (n, 4) with channels of 0 to 255 and an alpha of 0 to 1, backgrounds
    (n, 3) and opaque. A translucent foreground is seen as it is composed over its background.
    """
    behind = np.asarray(background, np.float64)
    seen = luminance(_composed(np.asarray(foreground, np.float64), behind))
    other = luminance(behind)
    found: NDArray[np.float64] = (np.maximum(seen, other) + _FLARE) / (
        np.minimum(seen, other) + _FLARE
    )
    return found


def _composed(
    foreground: NDArray[np.float64], background: NDArray[np.float64]
) -> NDArray[np.float64]:
    if foreground.shape[-1] == _OPAQUE:
        return foreground
    alpha = np.clip(foreground[..., _OPAQUE:], 0, 1)
    return foreground[..., :_OPAQUE] * alpha + background * (1 - alpha)
