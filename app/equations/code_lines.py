"""The very lines of ``dynamics`` that ran for a half-step, found by the equations that they name."""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.state.walk import CORRECTION, PREDICTION
from dynamics.recursion.contact_prediction import contact_stages
from dynamics.recursion.contact_stage import correct_filter, spread_forces, tip_accelerations
from dynamics.recursion.costate_covariance import costate_covariance
from dynamics.recursion.dual_filter import dual_filter
from dynamics.recursion.inward_filter import inward_filter
from dynamics.recursion.outward_smoother import outward_smoother
from dynamics.recursion.two_filter import dual_stages

CONTEXT = 2
"""Lines shown before and after those that ran."""
BASE = 2
"""Beside the two halves at a joint: what happens at a base that floats."""
STORES = re.compile(r"\s*(put3\(|put21\(|(work|links|now)\[.*\] \+?= )")


@dataclass(frozen=True)
class Excerpt:
    """Some lines of one function.

    Attributes:
        file, first: where the first line stands.
        lines: as they are written, without the indentation that they share.
        ran: for each whether it belongs to the half-step.
    """

    function: str
    file: str
    first: int
    lines: tuple[str, ...]
    ran: tuple[bool, ...]


# For every half-step the functions that compute it, each with the words that mark its first and last equation.
MARKS: dict[tuple[str, int], tuple[tuple[Callable[..., Any], str, str], ...]] = {
    ("filter", PREDICTION): ((inward_filter, "R87 (37)", "# phi z+"), (inward_filter, "JR (2.13)", "JR (2.13)")),
    ("filter", CORRECTION): ((inward_filter, "R87 (38)", "R87 (43)"),),
    ("filter", BASE): ((inward_filter, "JR (2.13)", "JR (2.13)"),),
    ("smoother", PREDICTION): (
        (outward_smoother, "# alpha+ =", "# alpha+ ="),
        (costate_covariance, "# D+ G", "# D+ G"),
    ),
    ("smoother", CORRECTION): (
        (outward_smoother, "R87 (46)", "R87 (47)"),
        (costate_covariance, "# T' D+ T", "# T' D+ T"),
    ),
    ("smoother", BASE): ((outward_smoother, "solve_packed(p", "solve_packed(p"),),
    ("contact", PREDICTION): ((tip_accelerations, "# a(0)", "# a(0)"), (contact_stages, "free[own] =", "free[own] =")),
    ("contact", CORRECTION): (
        (contact_stages, "# A x_FREE", "R88 (9.1)"),
        (spread_forces, "acceleration +=", "acceleration +="),
    ),
    ("filter_correction", PREDICTION): (
        (correct_filter, "# phi(1, 0) x(0)", "# phi(1, 0) x(0)"),
        (correct_filter, "# (1 - G H) dz", "# phi"),
    ),
    ("filter_correction", CORRECTION): ((correct_filter, "innovation = share", "innovation = share"),),
    ("filter_correction", BASE): ((correct_filter, "# (1 - G H) dz", "# phi"),),
    ("smoother_final", PREDICTION): ((outward_smoother, "# alpha+ =", "# alpha+ ="),),
    ("smoother_final", CORRECTION): ((outward_smoother, "R87 (46)", "R87 (47)"),),
    ("smoother_final", BASE): ((outward_smoother, "solve_packed(p", "solve_packed(p"),),
    ("dual_filter", PREDICTION): ((dual_filter, "JR (3.3)", "JR (3.6)"),),
    ("dual_filter", CORRECTION): (
        (dual_filter, "JR (3.3): D_s", "z_s = z_s+ + G_s eps_s"),
        (dual_stages, "JR (3.12)", "JR (3.12)"),
        (dual_stages, "JR (3.13)", "JR (3.13)"),
    ),
    ("dual_filter", BASE): (
        (dual_filter, "DUAL_INERTIA + i", "DUAL_FORCE_PREDICTED + i"),
        (dual_stages, "JR (3.12)", "JR (3.12)"),
    ),
}


@functools.cache
def excerpts(stage: str, half: int) -> tuple[Excerpt, ...]:
    """The lines of a half-step.

    Raises:
        LookupError: if the code no longer says the words that mark them.
    """
    return tuple(_excerpt(function, first, last) for function, first, last in MARKS[stage, half])


def _source(function: Callable[..., Any]) -> tuple[list[str], int, int]:
    """The lines of a function, the number of the first, and the index after its docstring."""
    plain = getattr(function, "py_func", function)  # the compiler keeps what it compiled
    lines, first = inspect.getsourcelines(plain)
    quotes = [i for i, line in enumerate(lines) if '"""' in line]
    body = (quotes[0] if lines[quotes[0]].count('"""') == 2 else quotes[1]) + 1
    return [line.rstrip() for line in lines], first, body


def _find(lines: list[str], mark: str, start: int) -> int:
    """The first line from ``start`` on that ends in the mark, or else that contains it."""
    ending = (i for i in range(start, len(lines)) if lines[i].endswith(mark))
    containing = (i for i in range(start, len(lines)) if mark in lines[i])
    found = next(ending, next(containing, None))
    if found is None:
        raise LookupError(f"no line says {mark!r} any more")
    return found


def _excerpt(function: Callable[..., Any], first_mark: str, last_mark: str) -> Excerpt:
    lines, number, body = _source(function)
    begin = _find(lines, first_mark, body)
    end = _find(lines, last_mark, begin)
    others = {
        _find(lines, mark, body)
        for key in MARKS
        for other, *marks in MARKS[key]
        for mark in marks
        if other is function and mark not in (first_mark, last_mark)
    }

    def ends_before(i: int) -> bool:
        """Whether a line belongs to what was computed before."""
        stops = not lines[i] or lines[i].endswith(("continue", ",")) or STORES.match(lines[i]) is not None
        return stops or i in others

    while begin > body and not ends_before(begin - 1):
        begin -= 1
    stored, at = end, end + 1
    while at < len(lines) and lines[at] and at not in others and not lines[at].lstrip().startswith(("#", "if ")):
        if STORES.match(lines[at]):
            stored = at
        elif stored > end:
            break
        at += 1
    end = stored
    top, bottom = max(begin - CONTEXT, body), min(end + CONTEXT, len(lines) - 1)
    shown = lines[top : bottom + 1]
    indent = min(len(line) - len(line.lstrip()) for line in shown if line)
    return Excerpt(
        getattr(function, "__name__", ""),
        Path(inspect.getsourcefile(getattr(function, "py_func", function)) or "").name,
        number + top,
        tuple(line[indent:] for line in shown),
        tuple(begin <= i <= end for i in range(top, bottom + 1)),
    )
