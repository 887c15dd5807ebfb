"""Columns as JSON texts, a whole column at a time: each distinct text is written once."""

from __future__ import annotations

import base64
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

if TYPE_CHECKING:
    from collections.abc import Callable

TEXT = pa.large_string()  # a row group of long texts may have more than 2 GB of JSON


def json_lines(table: pa.Table) -> pa.Array:
    """A line with a JSON object for each row."""
    parts: list[pa.Array | str] = []
    for number, name in enumerate(table.column_names):
        parts.append(f"{',' if number else '{'}{orjson.dumps(name).decode()}:")
        parts.append(json_texts(one_piece(table.column(name))))
    return joined(*parts, "}\n")


def joined(*parts: pa.Array | str) -> pa.Array:
    """Texts behind each other, row by row; null where one is."""
    typed = [pa.scalar(part, TEXT) if isinstance(part, str) else part for part in parts]
    return pc.binary_join_element_wise(*typed, pa.scalar("", TEXT))


def one_piece(column: pa.ChunkedArray) -> pa.Array:
    """A column as one array: dictionaries can differ between pieces."""
    whole = column.unify_dictionaries().combine_chunks()
    return whole if isinstance(whole, pa.Array) else pa.concat_arrays(whole.chunks)


def json_texts(array: pa.Array) -> pa.Array:
    """Each value as JSON, `null` where there is none."""
    return pc.fill_null(_known(array), pa.scalar("null", TEXT))


def _known(array: pa.Array) -> pa.Array:
    kind = array.type
    if pa.types.is_dictionary(kind):
        return json_texts(array.dictionary).take(array.indices)
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return array.cast(TEXT)
    if pa.types.is_floating(kind):
        return number_texts(pc.if_else(pc.is_finite(array), array, None))
    if pa.types.is_timestamp(kind):
        return joined('"', time_texts(array), '"')
    if is_text(kind):
        return _each_once(array, orjson.dumps)
    return _composed(array)


def _composed(array: pa.Array) -> pa.Array:
    """Lists, structs, maps, and what else there is."""
    kind = array.type
    if pa.types.is_map(kind) and is_text(kind.key_type) and not _repeats_keys(array):
        return _map_texts(array)
    return pa.array([_dump(value) for value in plain_values(array)], TEXT)


def _map_texts(maps: pa.MapArray) -> pa.Array:
    """Objects from maps whose keys are texts: all entries at once, then joined map by map."""
    offsets, keys, items = _entries(maps)
    entries = joined(json_texts(keys), ":", json_texts(items))
    listed = pa.LargeListArray.from_arrays(offsets, entries)
    objects = joined("{", pc.binary_join(listed, pa.scalar(",", TEXT)), "}")
    return pc.if_else(maps.is_valid(), objects, pa.scalar(None, TEXT))


def _repeats_keys(maps: pa.MapArray) -> bool:
    """Whether a map has a key twice: then the last one counts, and each map is looked at."""
    offsets, keys, _ = _entries(maps)
    rows = np.repeat(np.arange(len(maps)), np.diff(offsets.to_numpy()))
    encoded = keys.dictionary_encode()
    pairs = rows * len(encoded.dictionary) + encoded.indices.to_numpy()
    return len(np.unique(pairs)) < len(pairs)


def _entries(maps: pa.MapArray) -> tuple[pa.Array, pa.Array, pa.Array]:
    """Where each map's entries begin, and the keys and values of all; of a slice only its own."""
    offsets = maps.offsets.cast(pa.int64())
    first, last = offsets[0].as_py(), offsets[-1].as_py()
    own = (child.slice(first, last - first) for child in (maps.keys, maps.items))
    return pc.subtract(offsets, first), *own


def is_text(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)
    )


def number_texts(array: pa.Array) -> pa.Array:
    """Numbers in the fewest digits that tell them apart."""
    plain = array.cast(pa.float32()) if pa.types.is_float16(array.type) else array
    return plain.cast(TEXT)


def time_texts(array: pa.Array) -> pa.Array:
    """ISO 8601; times with a zone end in it or in Z."""
    return pc.replace_substring(array.cast(TEXT), " ", "T", max_replacements=1)


def _each_once(array: pa.Array, write: Callable[[str], bytes]) -> pa.Array:
    encoded = array.dictionary_encode()
    texts = [write(text).decode() for text in encoded.dictionary.to_pylist()]
    return pa.array(texts, TEXT).take(encoded.indices)


def plain_values(array: pa.Array) -> list[Any]:
    """The values as Python's; maps as dictionaries, where the last of equal keys counts."""
    return [_plain(value, array.type) for value in array.to_pylist()]


def _plain(value: Any, kind: pa.DataType) -> Any:
    if value is None:
        return None
    if pa.types.is_map(kind):
        return {key: _plain(item, kind.item_type) for key, item in value}
    if pa.types.is_struct(kind):
        return {each.name: _plain(value[each.name], each.type) for each in kind}
    if _is_list(kind):
        return [_plain(item, kind.value_type) for item in value]
    return value


def _is_list(kind: pa.DataType) -> bool:
    return bool(
        pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind)
    )


def _dump(value: Any) -> str | None:
    return None if value is None else dump(value)


def dump(value: Any) -> str:
    """One value as JSON: keys that are no texts become some, bytes are in base 64."""
    options = orjson.OPT_NON_STR_KEYS | orjson.OPT_SERIALIZE_NUMPY | orjson.OPT_PASSTHROUGH_DATETIME
    return orjson.dumps(value, default=_other, option=options).decode()


def _other(value: object) -> str:
    match value:
        case bytes():
            return base64.b64encode(value).decode("ascii")
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return str(value.total_seconds())
        case _:
            return str(value)
