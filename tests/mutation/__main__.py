"""``python -m tests.mutation``: does the suite notice one wrong sign or one lost term in any recursion?

Every mutant of every function of the recursions is tried against the tests that run this function, the quickest
first, uncompiled, until one fails. Nothing is written to the sources: a mutated body is put in place in a forked
child that has everything imported. Survivors that SURVIVORS.md does not explain make the command fail, and so do rows
of it that no mutant has any more.
"""

import argparse
import os
import random
import sys
from collections import Counter
from pathlib import Path

os.environ["NUMBA_DISABLE_JIT"] = "1"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import pytest

from tests.mutation.mutants import Mutant, mutants, recursions
from tests.mutation.trial import Baseline, CollectionPlugin, try_mutant

BUDGET, LONGEST = 30.0, 8.0
"""Seconds of tests that one mutant may take, and of a single test beyond which it is left out."""
SURVIVORS = Path(__file__).parent / "SURVIVORS.md"


def main() -> int:
    options = arguments()
    package = Path("dynamics")
    every = [mutant for name in options.targets for mutant in mutants(package / f"{name}.py")]
    outdated = [row for row in explained_rows(options.targets) if row not in {mutant.row for mutant in every}]
    if options.only:
        every = [mutant for mutant in every if mutant.function in options.only]
    tried = random.Random(0).sample(every, round(options.share * len(every)))
    tried.sort(key=every.index)
    print(f"{len(every)} mutants, {len(tried)} of them to be tried", flush=True)
    counts: Counter[str] = Counter()
    unexplained: list[Mutant] = []

    def use(items: list[pytest.Item]) -> None:
        baseline = Baseline(items, LONGEST)
        kept = sum(baseline.seconds.values())
        print(f"{len(baseline.seconds)} tests of {kept:.0f} s; failing unmutated: {baseline.failed}", flush=True)
        judge(tried, baseline, counts, unexplained)

    plain = (
        "tests/dynamics tests/identities tests/golden -q -p no:cacheprovider -o timeout=0 --capture=no --numprocesses=0"
    )
    status = pytest.main(plain.split(), plugins=[CollectionPlugin(use)])
    if status not in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
        return int(status)
    print(dict(counts), "not tried:", len(every) - counts.total())
    for row in outdated:
        print(f"OUTDATED {row}")
    return 1 if unexplained or outdated else 0


def explained_rows(targets: list[str]) -> list[str]:
    """The rows of SURVIVORS.md that belong to some files."""
    rows = [line for line in SURVIVORS.read_text().splitlines() if line.startswith("| ")]
    return [row for row in rows if row.split()[1].removesuffix(".py") in targets]


def judge(tried: list[Mutant], baseline: Baseline, counts: Counter[str], left: list[Mutant]) -> None:
    explained = SURVIVORS.read_text()
    catchers: dict[str, list[str]] = {}
    for mutant in tried:
        first = catchers.setdefault(mutant.target + mutant.function, [])
        caught, ran = try_mutant(mutant, baseline, first, BUDGET)
        if caught is None:
            kind = "explained" if mutant.row in explained else "survived" if ran else "reached by no test"
            if kind != "explained":
                left.append(mutant)
                where = f"{mutant.target}:{mutant.line} {mutant.function}"
                print(f"SURVIVES {where}: {mutant.before}  ->  {mutant.after}", flush=True)
        else:
            kind = "caught"
            if caught in first:
                first.remove(caught)
            first.insert(0, caught)
        counts[kind] += 1
        if counts.total() % 100 == 0:
            print(dict(counts), flush=True)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("targets", nargs="*", default=recursions(), help="files of dynamics as room/name, without .py")
    parser.add_argument("--only", nargs="*", help="functions")
    parser.add_argument("--share", type=float, default=1.0, help="of the mutants to try, drawn at random")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
