"""JSON as browsers write it: JavaScript strings may hold half a surrogate pair, UTF-8 may not."""

from __future__ import annotations

import json
from typing import Any

import orjson


def loads(raw: bytes) -> Any:
    """Decode `raw`; lone surrogates become U+FFFD, as they do in every encoder of the web."""
    try:
        return orjson.loads(raw)
    except orjson.JSONDecodeError:
        text = json.dumps(json.loads(raw), ensure_ascii=False)
        return orjson.loads(
            text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        )
