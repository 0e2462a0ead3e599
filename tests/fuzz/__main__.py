"""``python -m tests.fuzz --minutes 10 --seed 1 --workers 2``: attack, and report each failure with its smallest case.

The seed of a failure finds it again: ``--seed`` that number ``--only`` that attack. Mend it, and keep the case by name
in ``found`` of its attack.
"""

import argparse
import os
import sys
from pathlib import Path

import dynamics as dyn
from tests.fuzz.attack import attacks, targets
from tests.fuzz.rounds import attacked


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", default=targets(), help=f"of {', '.join(targets())}; default all")
    parser.add_argument("--only", nargs="*", help="attacks by name")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first round; each later one takes the next")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--report", type=Path, help="a file for what is printed")
    options = parser.parse_args()
    names = [
        (target, name)
        for target in options.targets
        for name in attacks(target)
        if options.only is None or name in options.only
    ]
    dyn.compile_kernels(everything=True)  # or the first case that needs one would seem to hang
    report = attacked(names, options.minutes, options.seed, options.workers)
    print(report)
    if options.report:
        options.report.write_text(report + "\n", encoding="utf-8")
    return int("FAILURE" in report)


if __name__ == "__main__":
    sys.exit(main())
