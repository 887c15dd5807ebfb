"""The command line on a disk that breaks: python -m tests.crawl.breaking HOW N crawl SEED ...

HOW is what happens at the N-th failure point of the repository's files: SIGKILL, or the name of an
error as in ENOSPC. Beyond the last one nothing happens; then the number of points is the last line
on stderr.
"""

from __future__ import annotations

import errno
import sys

from tests.repository.faulty import Counting, Failing, Killing

from webgeist.cli.run import run
from webgeist.repository.repository import open_repository


def disk_that(how: str, n: int) -> Counting:
    if how == "SIGKILL":
        return Killing(n)
    return Failing(n, getattr(errno, how), stays=True)


if __name__ == "__main__":
    disk = disk_that(sys.argv[1], int(sys.argv[2]))
    open_repository.__kwdefaults__ = {"readonly": False, "files": disk}
    code = run(sys.argv[3:])
    sys.stderr.write(f"{len(disk.points)}\n")
    sys.exit(code)
