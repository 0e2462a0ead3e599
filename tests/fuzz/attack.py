"""One attack: how a case is drawn, what must hold of it, and the cases that once did not."""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

NO_TARGETS = ("attack", "rounds")
LONGEST = 20
"""Seconds of one case; what takes longer hangs."""


@dataclass(frozen=True)
class Attack:
    """What is drawn and what must hold.

    Attributes:
        cases: draws one.
        hold: raises where something is wrong with a case.
        found: every failure ever found, mended, by a name that says what it was.
        examples: how many the suite draws.
    """

    cases: SearchStrategy[Any]
    hold: Callable[[Any], None]
    found: Mapping[str, Any] = field(default_factory=dict)
    examples: int = 20

    def holds(self, case: Any) -> bool:
        """``hold``, or ``TimeoutError`` for what hangs."""
        with limited():
            self.hold(case)
        return True

    def run(self, number: int, examples: int) -> int:
        """Draw so many cases from a seed and say how many; the first failure is shrunk and raised, with its case."""
        how = settings(
            max_examples=examples,
            database=None,
            deadline=None,
            print_blob=False,
            report_multiple_bugs=False,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        )
        drawn = 0

        def each(case: Any) -> None:
            nonlocal drawn
            drawn += self.holds(case)

        seed(number)(how(given(case=self.cases)(each)))()
        return drawn


@contextmanager
def limited(seconds: float = LONGEST) -> Iterator[None]:
    """Of the processor's time: other programs may want it, too. What waits for nothing ends with its test."""

    def stop(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"longer than {seconds} s")

    handler = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        signal.signal(signal.SIGPROF, handler)


def targets() -> tuple[str, ...]:
    files = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    return tuple(name for name in files if name not in NO_TARGETS and not name.startswith("test_"))


def attacks(target: str) -> Mapping[str, Attack]:
    found: Mapping[str, Attack] = import_module(f"tests.fuzz.{target}").ATTACKS
    return found
