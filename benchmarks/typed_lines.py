"""Response times of *Write it* at the server: the first line after a start, then every line of three machines.

Each line is typed wrong, wrong without a known mistake, in another spelling, and right; and as several kinds of
nonsense of the largest length. Claims are about CPU seconds per answer, so that other load does not count; facts are
elapsed seconds. ``feedback`` measures what is visible in a browser. ``rounds`` is not used.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Sequence

from threadpoolctl import threadpool_limits

from benchmarks.contest import Claim, Result

SLOW = True
PRESETS = ("puma560", "two_arms_and_box", "free_flyer")
SPELLINGS = ("2 * ({right})", "({right}) - ({right}) - ({right})", "1 * ({right})", "{right}", "I + O")
"""A mistake, a reversed sign, another spelling, the published line, and a mistake without explanation."""
LONGEST = 240
"""Characters of a line that are read."""
KINDS = ("H @ P @ H.T", "solve(P, H.T)", "least(P, H.T)", "phi(k, j) @ P @ phi(k, j).T", "({right})")
"""The terms that are summed in nonsense of that length."""
WITHIN, NONSENSE_WITHIN = 0.15, 0.06
"""CPU seconds for answering a line; and for the longest nonsense of a kind, as a median over lines."""
Answers = dict[str, tuple[float, float]]


def contest(rounds: int) -> Result:
    del rounds
    with threadpool_limits(limits=1, user_api="blas"):  # as the server has it
        from app.startup import compile_first  # here, so that the contest is listed without the page

        compile_first()
        gc.collect()
        gc.freeze()
        found = [answers(preset, SPELLINGS) for preset in PRESETS]
        nonsense = {kind: [busy for each in PRESETS for _, busy in answers(each, (kind,)).values()] for kind in KINDS}
        gc.unfreeze()
    medians = {kind: statistics.median(each) for kind, each in nonsense.items()}
    times = {text: seconds for each in found for text, seconds in each.items()}
    passed, busy = (sorted(each) for each in zip(*times.values(), strict=True))
    first = next(iter(found[0].values()))[1]
    facts = {
        "lines typed": float(len(times)),
        "median that a core is busy, ms": 1e3 * statistics.median(busy),
        f"that is longest busy: {max(times, key=lambda text: times[text][1])}": 1e3 * busy[-1],
        "median that passes, ms": 1e3 * statistics.median(passed),
        "95th percentile that passes, ms": 1e3 * passed[int(0.95 * len(passed))],
        "most that passes, ms": 1e3 * passed[-1],
    }
    facts |= {f"nonsense of {kind}, median that a core is busy, ms": 1e3 * each for kind, each in medians.items()}
    facts["nonsense that is longest busy, ms"] = 1e3 * max(max(each) for each in nonsense.values())
    claims = (
        Claim("first line, s of a core", first, WITHIN),
        Claim("slowest line, s of a core", busy[-1], WITHIN),
        Claim("longest nonsense, median of its slowest kind, s of a core", max(medians.values()), NONSENSE_WITHIN),
    )
    return Result("a typed line at the server", "s", 1.0, (), "150 ms, the first one too", 1, facts, claims)


def filled(text: str) -> str:
    """A text added to itself as often as a line has room for."""
    return " + ".join([text] * max(1, (LONGEST + 3) // (len(text) + 3)))


def answers(preset: str, spellings: Sequence[str]) -> Answers:
    """Elapsed and CPU seconds for each text of each line, the first one first."""
    from app.equations.sheet import Figures
    from app.instruments.write_it.feedback_html import feedback_html
    from app.state import Session
    from app.state.writing import Writing

    session = Session(preset)
    session.run.accept(session.run.compute())
    session.playing = False
    session.seek(0.2)
    writing, found = Writing(session), {}
    for exercise in writing.exercises:
        writing.choose(exercise.key)
        for spelling in spellings:
            text = spelling.format(right=exercise.right)
            text = filled(text) if spelling in KINDS else text
            started, busy = time.perf_counter(), time.thread_time()
            tried, reading = writing.write(text), session.whole_reading()
            feedback_html(tried, exercise.stage, reading, Figures.of(reading))
            found[f"{preset}, {exercise.left} = {text}"] = time.perf_counter() - started, time.thread_time() - busy
    return found
