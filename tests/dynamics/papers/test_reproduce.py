"""Every printed number of the five papers beside ours: a difference beyond rounding has a reason, and is that large."""

from __future__ import annotations

import numpy as np
import pytest

import dynamics as dyn
from dynamics.study.jazidie_examples import TABLE_3
from tests.conftest import UNCOMPILED

SLOW = ("jz_fig_6", "jz_table_2", "jz_fig_7", "jz_fig_8", "jz_fig_9", "jz_table_3")
"""Five seconds in samples of 0.1 ms: minutes where nothing is compiled."""
NAMES = [result.name for result in dyn.paper_results() if not (UNCOMPILED and result.name in SLOW)]
COUNTED = ("r87_table_2", "r87_table_3", "tml_table_1", "tml_table_2", "tml_table_3", "tml_table_4", "tml_table_5")


def numbers_of(name: str) -> dict[tuple[str, str], dyn.PaperNumber]:
    return {(number.row, number.column): number for number in dyn.reproduce(name).numbers}


@pytest.mark.parametrize("name", NAMES)
def test_a_number_is_the_printed_one_or_says_why_not(name: str) -> None:
    found = dyn.reproduce(name)
    assert found.result.name == name
    assert not found.unexplained, found.unexplained
    assert not [number for number in found.numbers if number.agrees and number.reason], "a reason for no difference"
    assert bool(found.numbers) != found.result.is_drawing
    assert len({(number.row, number.column) for number in found.numbers}) == len(found.numbers)
    assert all(len(number.reason) > 20 for number in found.numbers if not number.agrees)
    if found.figure is not None:
        for curve in found.figure.curves:
            assert curve.x.shape == curve.y.shape
            assert np.all(np.isfinite(curve.x))
            assert np.all(np.isfinite(curve.y))
            assert curve.style in ("line", "dashed", "points")
        if found.figure.log_y:
            assert all(np.all(curve.y > 0.0) for curve in found.figure.curves)


def test_every_table_and_figure_is_there_once() -> None:
    results = dyn.paper_results()
    assert len({result.name for result in results}) == len(results)
    figures = {
        "R87": (4, {"Table I", "Table II", "Table III"}),
        "TML": (4, {f"Table {k}" for k in range(1, 6)}),
        "JZ": (9, {"Table 1", "Table 2", "Table 3"}),
    }
    for paper, (count, tables) in figures.items():
        places = {result.place for result in results if result.paper == paper}
        assert places == tables | {f"Fig. {k}" for k in range(1, count + 1)}
    assert {result.place for result in results if result.paper == "JR"} == {f"Figure {k}" for k in range(1, 6)}
    named = {"Fig. 2.1", "Fig. 9.1", "Fig. 9.2", "Fig. 9.3", "Fig. 10.1", "Section 9"}
    assert {result.place for result in results if result.paper == "R88"} == named


def test_table_2_of_r87_is_met_to_the_operation() -> None:
    """28 additions, 26 multiplications and 3 divisions a link: none differs, and the rows add up to them."""
    found = numbers_of("r87_table_2")
    assert all(number.agrees for number in found.values())
    totals = {"additions": 28.0, "multiplications": 26.0, "divisions": 3.0}
    for column, total in totals.items():
        assert found["Total", column].ours == total
        assert sum(n.ours for (row, at), n in found.items() if at == column and row != "Total") == pytest.approx(total)


@pytest.mark.parametrize("name", ["tml_table_2", "tml_table_3", "tml_table_4", "tml_table_5"])
def test_rows_explain_the_whole_of_a_difference(name: str) -> None:
    """What the rows that differ differ by is what the whole differs by."""
    found = numbers_of(name)
    for column in ("multiplications", "additions"):
        apart = sum(n.ours - n.published for (row, at), n in found.items() if at == column and row != "Total")
        assert found["Total", column].ours - found["Total", column].published == pytest.approx(apart)


def test_recorded_differences_are_as_large_as_recorded() -> None:
    fewest = numbers_of("r87_fig_4")
    assert [number.ours for number in fewest.values()] == [4.0, 6.0]
    limits = numbers_of("r88_limits")
    assert limits["heavy object, gravity", "acceleration"].ours == pytest.approx(9.81, abs=1e-6)
    assert limits["heavy object, gravity", "x(0) less x_FREE"].ours == pytest.approx(72.06, abs=0.01)
    steps = numbers_of("tml_table_5")
    totals = [number.ours for (row, _), number in steps.items() if row == "Total"]
    assert totals == [27 * 6 + 29, 24 * 6 + 25]
    assembly = numbers_of("r87_table_3")["assembly, as the text sums it up", "flops"]
    assert (assembly.published, assembly.ours) == (2 * 6 * 11, 2 * 36 + 7 * 6)


@pytest.mark.compiled_only
def test_jazidies_examples_differ_by_no_more_than_their_integration() -> None:
    for (_, column), number in numbers_of("jz_table_2").items():
        assert number.agrees if column.startswith("wanted") else abs(number.ours - number.published) < 3e-6
    errors = numbers_of("jz_fig_7")
    assert errors["largest", "order of magnitude, power of ten"].agrees
    assert max(abs(n.ours - n.published) for (row, _), n in errors.items() if row != "largest") < 9e-7
    angles = numbers_of("jz_table_3")
    assert all(n.agrees for (_, column), n in angles.items() if column == "arm 1, rigid")
    turned = [n for (_, column), n in angles.items() if column == "arm 2, point"]
    assert [n.published for n in turned] == TABLE_3[:, 1].tolist()
    assert turned[0].agrees
    assert max(abs(n.ours - n.published) for n in turned) < 0.05
    assert abs(numbers_of("jz_fig_9")["object at 5 s", "turned"].ours - np.pi / 3) < 2e-3


def test_a_difference_without_a_reason_is_found() -> None:
    """The test above can fail: a number that is not the printed one, and says nothing, is told."""
    result = dyn.paper_results()[0]
    right, wrong = (dyn.PaperNumber("row", "column", "", 1.0, ours, 5e-4) for ours in (1.0005, 1.0006))
    assert (right.agrees, wrong.agrees) == (True, False)
    assert dyn.Reproduction(result, (right, wrong)).unexplained == (wrong,)
    said = dyn.PaperNumber("row", "column", "", 1.0, 1.0006, 5e-4, "the scan is blurred")
    assert dyn.Reproduction(result, (right, said)).unexplained == ()


def test_an_unknown_result_is_refused() -> None:
    with pytest.raises(dyn.ModelError, match="no result"):
        dyn.reproduce("r87_table_9")
