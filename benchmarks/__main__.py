"""Runs one benchmark by name and prints its table, or its figures as JSON."""

from __future__ import annotations

import argparse
import json
import os
from importlib import import_module
from pathlib import Path

NAMES = (
    *("capture", "record", "crawl", "analyse", "query", "serve"),
    *("scrape", "menus", "pagination", "changes"),
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("name", choices=NAMES)
    parser.add_argument("--short", action="store_true", help="fewer pages and rounds")
    parser.add_argument("--json", action="store_true", help="figures as JSON on stdout")
    parser.add_argument("--only", metavar="NAME", help="one part of the benchmark")
    parser.add_argument("--corpora", metavar="DIR", help="in place of WEBGEIST_CORPORA")
    parser.add_argument("--out", metavar="FILE", type=Path, help="of --only train: the model")
    arguments = parser.parse_args()
    benchmark = import_module(f"benchmarks.{arguments.name}")
    if arguments.only not in (None, *benchmark.PARTS):
        parser.error(f"{arguments.name} has the parts {', '.join(benchmark.PARTS)}")
    if arguments.out and arguments.only not in ("train", "pictures"):
        parser.error("--out is where --only train and --only pictures write their model")
    if arguments.corpora:
        os.environ["WEBGEIST_CORPORA"] = arguments.corpora
    more = {"out": arguments.out} if arguments.out else {}
    figures = benchmark.run(short=arguments.short, only=arguments.only, **more)
    print(json.dumps(figures, indent=1) if arguments.json else benchmark.report(figures))


if __name__ == "__main__":
    main()
