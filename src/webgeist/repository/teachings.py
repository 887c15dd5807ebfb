"""teachings.json: what users taught, as a document with a form and a digest of what it holds.

What a teaching is, the analysis knows that it is about; here it is JSON.
"""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from webgeist.errors import DamagedError, StorageError
from webgeist.repository.versions import NewerVersionError

if TYPE_CHECKING:
    from pathlib import Path

FORM = 1
_REMEDY = "webgeist teach --reset all forgets everything that was taught"


def read_document(path: Path) -> list[Any]:
    """The teachings in a file; none where there is no file. DamagedError: it was tampered with."""
    try:
        raw = json.loads(path.read_bytes())
        form, digest, teachings = raw["form"], raw["sha256"], raw["teachings"]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise StorageError(f"cannot read {path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise DamagedError(f"{path} cannot be read: {error}", remedy=_REMEDY) from error
    if form != FORM:
        raise NewerVersionError(path, f"form {form}, known is {FORM}")
    if not isinstance(teachings, list) or digest != _digest(teachings):
        raise DamagedError(f"{path} has other contents than were written", remedy=_REMEDY)
    return teachings


def document(teachings: list[Any]) -> bytes:
    """The file for these teachings."""
    whole = {"form": FORM, "sha256": _digest(teachings), "teachings": teachings}
    return json.dumps(whole, indent=1, ensure_ascii=False).encode() + b"\n"


def _digest(teachings: list[Any]) -> str:
    return sha256(json.dumps(teachings, sort_keys=True).encode()).hexdigest()
