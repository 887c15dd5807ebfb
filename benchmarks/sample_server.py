"""Serves the sample web on a free loopback port and prints it. Ends with its parent's signal."""

from __future__ import annotations

import signal

from webgeist.samples.server import serve


def main() -> None:
    ending = {signal.SIGTERM, signal.SIGINT}
    signal.pthread_sigmask(signal.SIG_BLOCK, ending)
    with serve() as web:
        print(web.port, flush=True)
        signal.sigwait(ending)


if __name__ == "__main__":
    main()
