"""Pictures of statistics: one description for PNG, SVG, HTML and JSON (Vega-Lite)."""

from __future__ import annotations

import io
from functools import partial
from typing import TYPE_CHECKING, Any

from webgeist.errors import UsageError
from webgeist.query.gallery import SIDE
from webgeist.query.stats import Form
from webgeist.repository.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from webgeist.query.stats import Panel, Stats

FORMATS = ("png", "svg", "html", "json")
_WIDTH, _BAR, _MAP = 480, 16, 170
_LONGEST = 48  # letters of a value
_IN_A_ROW = 3  # maps beside each other
_INK = "#3b6ea5"


def draw(stats: Stats, shown: Mapping[str, str] | None = None) -> Any:
    """The chart, as Altair has it: notebooks show it. UsageError where Altair is not installed.

    `shown` has what values name, as `gallery` finds it; a panel of that form puts it beside them.
    """
    alt = _altair()
    chart = partial(_chart, alt, shown or {})
    charts = [chart(panel) for panel in stats.panels if panel.form is not Form.MAP]
    maps = [chart(panel) for panel in stats.panels if panel.form is Form.MAP]
    rows = [alt.hconcat(*maps[at : at + _IN_A_ROW]) for at in range(0, len(maps), _IN_A_ROW)]
    return alt.vconcat(*charts, *rows).resolve_scale(color="independent")


def save(stats: Stats, path: Path, shown: Mapping[str, str] | None = None) -> None:
    """Write the picture, in the format that the file's name ends in."""
    form = path.suffix.removeprefix(".").lower()
    if form not in FORMATS:
        known = ", ".join(f".{each}" for each in FORMATS)
        raise UsageError(f"{path.name} has no format", remedy=f"a name that ends in {known}")
    write_atomically(path, rendered(draw(stats, shown), form))


def rendered(chart: Any, form: str) -> bytes:
    """The picture's bytes. HTML holds its scripts, so that it needs no network."""
    if form == "png":
        buffer = io.BytesIO()
        chart.save(buffer, format="png", scale_factor=2)
        return buffer.getvalue()
    text = io.StringIO()
    chart.save(text, format=form, **({"inline": True} if form == "html" else {}))
    return text.getvalue().encode()


def _altair() -> Any:
    try:
        import altair as alt
    except ImportError as error:
        raise UsageError("pictures need Altair", remedy="pip install 'webgeist[plots]'") from error
    alt.data_transformers.disable_max_rows()
    return alt


def _chart(alt: Any, shown: Mapping[str, str], panel: Panel) -> Any:
    rows = panel.table.to_pylist()
    drawn: dict[Form, Callable[[Any, Panel, Any], Any]] = {
        Form.COLOURS: _colours,
        Form.BARS: _bars,
        Form.GALLERY: partial(_gallery, shown),
        Form.HISTOGRAM: _histogram,
        Form.MAP: _map,
    }
    return drawn[panel.form](alt, panel, alt.Data(values=rows))


def _titled(alt: Any, panel: Panel, data: Any) -> Any:
    return alt.Chart(data, title=panel.title)


def _share(alt: Any, title: str = "share") -> Any:
    return alt.X("share:Q", title=title, axis=alt.Axis(format="%"))


def _values(alt: Any) -> Any:
    return alt.Y(
        "value:N", sort=None, title=None, axis=alt.Axis(labelLimit=_WIDTH, labelOverlap=False)
    )


def _colours(alt: Any, panel: Panel, data: Any) -> Any:
    """Each colour as a bar of itself, and the share of all up to it as a line."""
    base = _titled(alt, panel, data)
    height = max(3, panel.table.num_rows) * _BAR
    bars = base.mark_bar(stroke="#999", strokeWidth=0.5).encode(
        _share(alt, "share, and cumulated"), _values(alt), color=alt.Color("value:N", scale=None)
    )
    line = base.mark_line(color="#555", point={"color": "#555", "size": 12}).encode(
        alt.X("cumulated:Q", title="share, and cumulated", axis=alt.Axis(format="%")), _values(alt)
    )
    return alt.layer(bars, line).properties(width=_WIDTH, height=height)


def _bars(alt: Any, panel: Panel, data: Any) -> Any:
    height = max(1, panel.table.num_rows) * _BAR
    shown = (
        f"length(datum.value) > {_LONGEST} ? slice(datum.value, 0, {_LONGEST}) + '…' : datum.value"
    )
    axis = alt.Axis(labelLimit=_WIDTH, labelOverlap=False, labelExpr=shown)
    return (
        _titled(alt, panel, data)
        .mark_bar(color=_INK)
        .encode(_share(alt), alt.Y("value:N", sort=None, title=None, axis=axis))
        .properties(width=_WIDTH, height=height)
    )


def _gallery(shown: Mapping[str, str], alt: Any, panel: Panel, data: Any) -> Any:
    """Bars, and right of them the picture that each value names."""
    named = [{"value": value, "picture": picture} for value, picture in shown.items()]
    if not named:
        return _bars(alt, panel, data)
    place = alt.value(_WIDTH + SIDE)
    pictures = (
        alt.Chart(alt.Data(values=named))
        .mark_image(width=SIDE, height=SIDE)
        .encode(x=place, y=alt.Y("value:N", sort=None, title=None), url="picture:N")
    )
    height = panel.table.num_rows * (SIDE + 4)
    return alt.layer(_bars(alt, panel, data), pictures).properties(width=_WIDTH, height=height)


def _histogram(alt: Any, panel: Panel, data: Any) -> Any:
    return (
        _titled(alt, panel, data)
        .mark_bar(color=_INK)
        .encode(
            alt.X("low:Q", bin="binned", title=panel.unit or None),
            alt.X2("high:Q"),
            alt.Y("count:Q", title=None),
        )
        .properties(width=_WIDTH, height=180)
    )


def _map(alt: Any, panel: Panel, data: Any) -> Any:
    """A page from its top left corner; the darker, the more boxes cover a place."""
    return (
        _titled(alt, panel, data)
        .mark_rect()
        .encode(
            alt.X("column:O", axis=None),
            alt.Y("row:O", axis=None),
            alt.Color(
                "share:Q", scale=alt.Scale(range=["#ffffff", "#08306b"], domainMin=0), legend=None
            ),
        )
        .properties(width=_MAP, height=_MAP)
    )
