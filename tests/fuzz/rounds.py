"""An attack of any length: rounds of drawn cases on several workers until the time is over, then a report."""

import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import count
from multiprocessing import get_context
from typing import NamedTuple

from tests.fuzz.attack import attacks

EXAMPLES = 200
"""Of a round."""


class Round(NamedTuple):
    """So many cases of one attack, drawn from a seed; the seed says them all."""

    target: str
    attack: str
    seed: int


def failure_of(one: Round) -> tuple[str, str] | None:
    """Where a round failed, in a line, and its smallest case with the traceback; None where all held."""
    try:
        attacks(one.target)[one.attack].run(one.seed, EXAMPLES)
    except Exception as error:  # whatever it is
        frames = traceback.extract_tb(error.__traceback__)
        place = f"{frames[-1].filename.rpartition('/')[2]}:{frames[-1].name}"
        return f"{type(error).__name__} in {place}", "".join(traceback.format_exception(error))
    return None


def every_round(names: Sequence[tuple[str, str]], seed: int) -> Iterator[Round]:
    for k in count():
        for target, attack in names:
            yield Round(target, attack, seed + k)


Failure = tuple[str, str]
Work = Callable[[Round], Failure | None]


def attacked(names: Sequence[tuple[str, str]], minutes: float, seed: int, workers: int, work: Work = failure_of) -> str:
    """Attack for some minutes.

    Args:
        work: one round, in a process of its own.

    Returns:
        The report: rounds by attack, then each failure once, with the seed that finds it again and its smallest case.
    """
    end = time.monotonic() + 60.0 * minutes
    ahead, done = every_round(names, seed), Counter[tuple[str, str]]()
    failures: dict[tuple[str, str], tuple[Round, str]] = {}
    while time.monotonic() < end:
        for one, found in finished(ahead, end, workers, work):
            done[one.target, one.attack] += 1
            if found is not None:
                failures.setdefault((one.attack, found[0]), (one, found[1]))
    lines = [f"{target}, {attack}: {done[target, attack]} rounds of {EXAMPLES}" for target, attack in names]
    lines += [
        f"\nFAILURE of {one.attack} ({one.target}), seed {one.seed}: {line}\n{told}"
        for (_, line), (one, told) in failures.items()
    ]
    return "\n".join([*lines, f"{sum(done.values()) * EXAMPLES} cases at most, {len(failures)} failures"])


def finished(ahead: Iterator[Round], end: float, workers: int, work: Work) -> Iterator[tuple[Round, Failure | None]]:
    """Rounds as they come to their ends, until the time is over or a process dies of one."""
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        running: dict[Future[Failure | None], Round] = {}
        dead = False
        while running or (time.monotonic() < end and not dead):
            while len(running) < workers and time.monotonic() < end and not dead:
                one = next(ahead)
                running[pool.submit(work, one)] = one
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                one = running.pop(future)
                try:
                    found = future.result()
                except BrokenProcessPool as error:
                    found, dead = ("a process died, of this or of what ran beside it", str(error)), True
                yield one, found
