"""``python -m benchmarks [contest ...]``: run the contests, print medians, ratios and limits, write JSON and a plot.

A module of this package is a contest if it defines ``contest(rounds)``; one with ``SLOW = True`` runs only
when it is requested.
"""

from __future__ import annotations

import argparse
import ast
import importlib
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.contest import QUICK_ROUNDS, DisagreementError, Result
from benchmarks.report import PEERS, UNFAIR, as_text, circumstances, write_json, write_plot

HERE = Path(__file__).parent


def contests() -> dict[str, bool]:
    """Every contest's name, and whether it is slow; found by reading, since a contest may import missing packages."""
    found = {}
    for path in sorted(HERE.glob("*.py")):
        body = ast.parse(path.read_text()).body
        if any(isinstance(node, ast.FunctionDef) and node.name == "contest" for node in body):
            found[path.stem] = any(isinstance(node, ast.Assign) and ast.unparse(node) == "SLOW = True" for node in body)
    return found


def main(arguments: list[str] | None = None) -> int:
    known = contests()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("contests", nargs="*", metavar="contest", help=f"of {', '.join(known)}")
    parser.add_argument("--rounds", type=int, default=15, help="turns of every contender (default 15)")
    parser.add_argument("--quick", action="store_true", help="one call each, to see that everything runs")
    parser.add_argument("--json", type=Path, default=HERE / "results" / "benchmarks.json")
    options = parser.parse_args(arguments)
    unknown = [name for name in options.contests if name not in known]
    if unknown:
        parser.error(f"there is no contest {unknown[0]!r}; choose among {', '.join(known)}")
    rounds = 1 if options.quick else max(options.rounds, QUICK_ROUNDS + 1)
    here = circumstances()
    print("  ".join(f"{name} {version}" for name, version in here.items()))
    for package, peer in PEERS.items():
        if here[package] == "missing":
            print(f"{peer} is missing: its rows are left out.")
    if options.quick:
        print("Quick: one call each. It shows that everything runs; its figures and verdicts mean nothing.")
    chosen = options.contests or [name for name, slow in known.items() if not slow]
    results, refused = run(chosen, rounds)
    print("\nUnfair to a peer:\n" + "\n".join(f"  {line}" for line in UNFAIR))
    write_json(options.json, results, refused, quick=options.quick)
    print(f"\nwritten: {options.json}")
    picture = options.json.with_suffix(".png")
    print(f"written: {picture}" if write_plot(picture, results) else "no plot: matplotlib is missing")
    return 1 if refused else 0


def run(names: list[str], rounds: int) -> tuple[list[Result], dict[str, str]]:
    """The results, and by name the reasons why a contest had none."""
    results, refused = [], {}
    modules = {name: importlib.import_module(f"benchmarks.{name}") for name in names}
    # One thread for all, as these matrices are small. This works only for libraries that are loaded by now.
    with threadpool_limits(limits=1, user_api="blas"):
        for name, module in modules.items():
            try:
                result = module.contest(rounds)
            except DisagreementError as error:
                refused[name] = str(error)
                print(f"\n{name}: REFUSED, not the same work. {error}", flush=True)
                continue
            print(f"\n{as_text(result)}", flush=True)
            results.append(result)
    return results, refused


if __name__ == "__main__":
    raise SystemExit(main())
