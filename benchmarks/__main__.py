"""``python -m benchmarks [contest ...]``: run the contests, print medians and ratios, write JSON."""

from __future__ import annotations

import argparse
import importlib
from pathlib import Path

from benchmarks.report import as_text, circumstances, write_json

CONTESTS = ("one_call", "one_second_of_an_arm", "one_second_of_two_arms")
SLOW = ("page",)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("contests", nargs="*", metavar="contest", help=f"of {', '.join(CONTESTS + SLOW)}")
    parser.add_argument("--rounds", type=int, default=15, help="turns of every contender (default 15)")
    parser.add_argument("--json", type=Path, default=Path(__file__).parent / "results" / "benchmarks.json")
    options = parser.parse_args()
    unknown = [name for name in options.contests if name not in CONTESTS + SLOW]
    if unknown:
        parser.error(f"there is no contest {unknown[0]!r}; choose among {', '.join(CONTESTS + SLOW)}")
    print("  ".join(f"{name} {version}" for name, version in circumstances().items()))
    results = []
    for name in options.contests or CONTESTS:
        result = importlib.import_module(f"benchmarks.{name}").contest(options.rounds)
        print(f"\n{as_text(result)}", flush=True)
        results.append(result)
    write_json(options.json, results)
    print(f"\nwritten: {options.json}")


if __name__ == "__main__":
    main()
