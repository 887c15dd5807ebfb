"""The words of a page in a row, so that the text of any subtree is a slice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from webgeist.page.order import below

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int32]
    Bools = NDArray[np.bool_]

_TEXT, _COMMENT = 3, 8
_SILENT = ("script", "style", "template", "noscript")
INLINE = (
    *("a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font"),
    *("i", "ins", "kbd", "label", "mark", "q", "rb", "rt", "ruby", "s", "samp", "small", "span"),
    *("strong", "sub", "sup", "slot", "time", "tt", "u", "var", "wbr"),
)


@dataclass(frozen=True)
class Flow:
    """`text` is the page's; that of the nodes from `first` to before `last` is a slice of it."""

    text: str
    starts: NDArray[np.int64]

    def between(self, first: int, last: int) -> str:
        """The words of a run of nodes, white space folded."""
        return " ".join(self.text[self.starts[first] : self.starts[last]].split())


def flow(
    names: pa.ChunkedArray,
    texts: pa.ChunkedArray,
    types: NDArray[np.uint8],
    end: Ints,
    blocks: Bools,
) -> Flow:
    """Text nodes joined in document order. Before a block's first and after its last word stands a
    space, whether the element is known as one or shown as one (`blocks`); scripts and styles say
    nothing.
    """
    name = names.combine_chunks()
    scripts = _is(name, _SILENT)
    silent = scripts | below(scripts, end)
    apart = ~_is(name, INLINE) | blocks
    apart &= ~_is_pseudo(name) & (types != _TEXT) & (types != _COMMENT)
    said = (types == _TEXT) & ~silent
    words = pc.if_else(pa.array(said), pc.fill_null(texts.combine_chunks(), ""), "")
    spaces = np.where(_edges(apart & ~silent, end), " ", "")
    pieces = pc.binary_join_element_wise(pa.array(spaces, pa.string()), words, "")
    lengths = pc.utf8_length(pieces).to_numpy()
    starts = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
    return Flow("".join(pieces.to_pylist()), starts)


def _is(name: pa.DictionaryArray, wanted: tuple[str, ...]) -> Bools:
    hit = pc.is_in(name.dictionary, pa.array(wanted, pa.string()))
    found: Bools = hit.to_numpy(zero_copy_only=False)[name.indices.to_numpy()]
    return found


def _is_pseudo(name: pa.DictionaryArray) -> Bools:
    hit = pc.starts_with(name.dictionary, "::")
    found: Bools = hit.to_numpy(zero_copy_only=False)[name.indices.to_numpy()]
    return found


def _edges(marked: Bools, end: Ints) -> Bools:
    """The nodes that a space stands before: those that are marked, and what follows their last
    descendant. What would follow the last node of all needs none.
    """
    edges = np.append(marked, False)
    edges[end[marked]] = True
    return edges[:-1]
