"""*Cost*, counted: every number is that of ``count_operations`` asked directly, and every crossing is one."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.cost.cost import Cost
from app.measures.counts import GROUPS, LAST, OPERATIONS, Counting, Growth
from app.measures.crossings import COUNTED, PUBLISHED, crossing_of, crossings, planar_reasons
from app.measures.polynomial import Polynomial, through
from app.state import Session

pytestmark = pytest.mark.compiled_only
Run = Callable[[Coroutine[Any, Any, None]], None]


@pytest.fixture(scope="module")
def growths() -> dict[str, Growth]:
    found = {}
    for group in GROUPS:
        counting = Counting(group)
        while not counting.done:
            counting.accept(counting.look())
        found |= {each.method.key: each for each in counting.growths()}
    return found


@pytest.mark.parametrize(
    "law", [(Fraction(-33), Fraction(364, 3), Fraction(107, 2), Fraction(1, 6)), (Fraction(0),), (Fraction(7),) * 5]
)
def test_a_polynomial_is_found_again(law: tuple[Fraction, ...]) -> None:
    values = {n: float(sum(c * n**power for power, c in enumerate(law))) for n in (1, 2, 3, 4, 5, 9, 31)}
    found = through(values)
    assert found is not None
    assert found.coefficients == law
    assert found(13) == pytest.approx(float(sum(c * 13**power for power, c in enumerate(law))))
    assert through(values | {31: values[31] + 1}) is None  # another count does not bear it out
    later = {n: float(sum(c * n**power for power, c in enumerate(law))) for n in (3, 4, 5, 6, 7, 8)}
    assert through(later, 3) == found
    assert (found - found).coefficients == (0,)
    assert (found - Polynomial((Fraction(1), Fraction(2))))(3) == pytest.approx(found(3) - 7.0)


@pytest.mark.parametrize(
    ("law", "text"),
    [
        ((-33, 104), "104 N − 33"),
        ((0, -1, Fraction(27, 2), 1), "N³ + 27/2 N² − N"),
        ((0, 0, -1), "−N²"),
        ((0,), "0"),
        ((1, 0, 0, 0, 1), "N⁴ + 1"),
    ],
)
def test_a_polynomial_as_it_is_written(law: tuple[Any, ...], text: str) -> None:
    assert Polynomial(tuple(map(Fraction, law))).text == text


@pytest.mark.slow
def test_counts_are_polynomials_at_lengths_that_were_not_asked(growths: dict[str, Growth]) -> None:
    for key, growth in growths.items():
        assert set(growth.polynomials) == {*OPERATIONS, "flops"}, key  # each count is a polynomial
        for n in (9, 14):
            assert n not in growth.lengths
            direct = dyn.count_operations(key, n)
            for name in OPERATIONS:
                assert round(growth.polynomials[name](n)) == getattr(direct, name)
            assert growth.polynomials["flops"](n) == pytest.approx(direct.flops)
            if direct.published is not None:
                for name in OPERATIONS[:3]:
                    assert growth.published[name](n) == pytest.approx(getattr(direct.published, name))
        assert list(growth.flops) == [dyn.count_operations(key, n).flops for n in growth.lengths if n < 9] + [
            growth.polynomials["flops"](n) for n in growth.lengths if n > 9
        ]


def test_where_lines_cross(growths: dict[str, Growth]) -> None:
    """Held against counts made at either side of it."""
    found = {}
    for group in GROUPS:
        for one in crossings([growths[method.key] for method in group.methods]):
            found[one.kind, one.cheaper.key, one.other.key] = one.first
            for n, less in ((one.first, True), (one.first - 1, False), (20, True)):
                if n < 1 or (n == 20 and "lagrange" in (one.cheaper.key, one.other.key)):
                    continue
                flops = []
                for key in (one.cheaper.key, one.other.key):
                    direct = dyn.count_operations(key, n)
                    own = direct.published if one.kind == PUBLISHED else direct
                    stated = None if one.kind == COUNTED else own.flops
                    flops.append((own.multiplications + own.additions) / 2 if stated is None else stated)
                assert (flops[0] < flops[1]) is less, one
    assert found == {
        (COUNTED, "filter_smoother", "strobing"): 5,
        (COUNTED, "newton_euler_modified", "newton_euler"): 1,
        (PUBLISHED, "newton_euler_modified", "newton_euler"): 1,
        (COUNTED, "newton_euler_modified", "lagrange"): 1,
        (PUBLISHED, "newton_euler_modified", "lagrange"): 1,
        (COUNTED, "newton_euler", "lagrange"): 1,
        (PUBLISHED, "newton_euler", "lagrange"): 2,
        (COUNTED, "planar_filter", "planar_batch"): 6,
        (PUBLISHED, "planar_filter", "planar_batch"): 4,
    }


def test_no_crossing_where_the_other_takes_less_in_the_end() -> None:
    assert crossing_of(lambda n: 10.0 * n, lambda n: 100.0 + n) is None
    assert crossing_of(lambda n: n, lambda n: n) is None
    assert crossing_of(lambda n: 100.0 + n, lambda n: 10.0 * n) == 12


def test_why_the_planar_lines_cross_elsewhere() -> None:
    """R87 Section XII, from the tables themselves: Table III by hand, Table II's 27 flops."""
    reasons = planar_reasons()
    assert [reason.first for reason in reasons] == [4, 5, 6, 6]
    n = np.arange(1.0, 12.0)
    each = [1 + (2 + 1) + (3 + 3), (1 + 1) + (2 + 4)]  # Table III: operations N times, and N(N + 1)/2 times
    assembled = (each[0] * n + each[1] * n * (n + 1) / 2) / 2
    np.testing.assert_allclose(assembled, 2 * n**2 + 7 * n)  # as the page says; 2N(N + 5) in the text
    laws = [
        n**3 / 3 + n**2 + 2 * n * (n + 5),
        n**3 / 3 + n**2 + assembled,
        n**3 / 6 + n**2 + assembled,
        np.array([dyn.count_operations("planar_batch", int(k)).flops for k in n]),
    ]
    for reason, law in zip(reasons, laws, strict=True):
        cheaper = [int(k) for k in n if 27 * k < law[int(k) - 1]]
        assert cheaper == list(range(reason.first, 12))
        text = reason.polynomial.replace("−", "-").replace("²", "**2").replace("³", "**3").replace(" N", "*N")
        np.testing.assert_allclose(eval(text, {"N": n}), law)
    divisions = dyn.count_operations("planar_batch", 7).divisions
    assert (divisions, dyn.count_operations("planar_filter", 7).divisions) == (7 * 8 // 2, 3 * 7)


def opened(name: str) -> tuple[Session, Cost]:
    session = Session(name)
    session.playing = False
    instrument = Cost(session)
    instrument.paint("light")
    return session, instrument


async def settled(session: Session, instrument: Cost) -> None:
    instrument.draw()
    while session.jobs.running:
        await asyncio.wait(session.jobs.running)
        session.jobs.attend()
    instrument.draw()


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


@pytest.mark.parametrize(("name", "n"), [("puma560", 6), ("iiwa14", 7), ("two_arms_and_box", None)])
def test_the_table_is_of_the_arm_that_is_here(name: str, n: int | None, run_async: Run) -> None:
    async def live() -> None:
        session, instrument = opened(name)
        system = session.system
        arm = np.asarray(system.arm_of_link)[: system.n_joints]
        links = n or int((arm == session.cursor.arm).sum())
        assert links * (2 if n is None else 1) == system.n_joints
        for k, group in enumerate(GROUPS):
            instrument._go(f"group {k}")
            await settled(session, instrument)
            text = plain(instrument._table.html)
            assert f"One solution at N = {links}, as the arm here has" in text
            for method in group.methods:
                direct = dyn.count_operations(method.key, links)
                row = " ".join(f"{getattr(direct, name):,}" for name in OPERATIONS)
                assert f"{method.name} {row} " in text, method
            assert instrument._plot._here.location == links
            for growth, marks in zip(instrument._plot._growths, instrument._plot._counted, strict=False):
                assert list(marks.data["n"]) == list(growth.lengths)
                assert list(marks.data["flops"]) == list(growth.flops)
        assert "1/3 N³ + 3 N² + 10 N 4 " in text
        assert "filter and smoother below mass matrix, factored and solved, counted: from N = 6" in text
        assert instrument._plot._crossings.data["words"] == ["4 published", "6 counted"]
        published = instrument._plot._published[1].data
        np.testing.assert_allclose(published["flops"][-1], LAST**3 / 3 + LAST**2 + 2 * LAST * (LAST + 5))

    run_async(live())


def test_it_says_how_far_it_has_counted_and_ends_with_the_session(run_async: Run) -> None:
    async def live() -> None:
        session, instrument = opened("puma560")
        instrument.draw()
        assert "Counting …" in instrument._head.html
        assert not instrument._plot.view.visible
        await asyncio.wait(session.jobs.running)
        session.jobs.stop()
        session.jobs.attend()
        instrument.draw()
        assert not session.jobs.running
        assert instrument.counting.share(GROUPS[0]) < 1.0

    run_async(live())


def test_a_failure_is_told_in_words_and_not_tried_for_ever(run_async: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise dyn.ModelError("nothing <here> can be counted.")

    async def live() -> None:
        monkeypatch.setattr("app.measures.counts.counted", fail)
        session, instrument = opened("puma560")
        await settled(session, instrument)
        assert "Operations could not be counted: nothing &lt;here&gt; can be counted." in instrument._head.html
        instrument.draw()
        assert not session.jobs.running

    run_async(live())


def test_what_no_click_says_changes_nothing() -> None:
    _, instrument = opened("puma560")
    for nobody in ("", "group", "group 3", "group -1", "group x", "row 0"):
        instrument._go(nobody)
        assert instrument._group is GROUPS[0]
