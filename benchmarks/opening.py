"""Opens a repository as its first act, and prints how long that took, and how long the imports."""

from __future__ import annotations

import json
import sys
import time


def main(path: str) -> None:
    """The first look: how many captures there are, and the newest release."""
    start = time.perf_counter()
    from webgeist.repository.repository import open_repository

    imported = time.perf_counter()
    with open_repository(path, readonly=True) as repository:
        if not len(repository) == len(repository.release()) > 0:
            raise RuntimeError(f"{path}: not everything is published")
    print(json.dumps([time.perf_counter() - imported, imported - start]))


if __name__ == "__main__":
    main(sys.argv[1])
