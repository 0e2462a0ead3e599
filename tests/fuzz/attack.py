"""An attack as a property: what is drawn, what must hold of it, and the cases that once did not hold."""

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from hypothesis import HealthCheck, example, given, settings
from hypothesis.strategies import SearchStrategy

LONGEST = 20
"""Seconds of one case; what takes longer hangs."""
NOTHING: Mapping[str, Any] = {}


def attack(
    cases: SearchStrategy[Any], hold: Callable[[Any], None], found: Mapping[str, Any] = NOTHING, share: float = 0.5
) -> Callable[[], None]:
    """A test that ``hold`` raises nothing for what is drawn, nor for any failure ever found.

    Args:
        cases: draws one case.
        hold: raises where something is wrong with a case.
        found: failures that were mended, by a name that says what each was.
        share: of the draws that other properties get.
    """

    def holds(case: Any) -> None:
        with limited():
            hold(case)

    test = given(case=cases)(holds)
    for name, case in found.items():
        test = example(case=case).via(name)(test)
    draws = max(1, round(share * settings().max_examples))
    test = settings(max_examples=draws, suppress_health_check=list(HealthCheck))(test)
    return test  # type: ignore[no-any-return]


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
