"""Every printed number of the five papers beside ours: a difference beyond rounding has a reason, and is that large."""

from functools import cache

import numpy as np
import pytest

import dynamics as dyn
from dynamics import papers
from dynamics.papers import PaperNumber, Reproduction, paper_results
from tests.conftest import UNCOMPILED

SLOW = ("jz_fig_6", "jz_table_2", "jz_fig_7", "jz_fig_8", "jz_fig_9", "jz_table_3")
"""Five seconds in samples of 0.1 ms: minutes where nothing is compiled."""
reproduce = cache(papers.reproduce)


def numbers_of(name: str) -> dict[tuple[str, str], PaperNumber]:
    return {(number.row, number.column): number for number in reproduce(name).numbers}


def test_every_number_is_the_printed_one_or_has_a_reason() -> None:
    for result in paper_results():
        if UNCOMPILED and result.name in SLOW:
            continue
        found = reproduce(result.name)
        assert found.result.name == result.name
        assert not found.unexplained, (result.name, found.unexplained)
        assert not [n for n in found.numbers if n.agrees and n.reason], f"{result.name}: a reason for no difference"
        assert bool(found.numbers) != found.result.is_drawing, result.name
        assert len({(number.row, number.column) for number in found.numbers}) == len(found.numbers), result.name
        assert all(len(number.reason) > 20 for number in found.numbers if not number.agrees), result.name
        for curve in () if found.figure is None else found.figure.curves:
            assert curve.x.shape == curve.y.shape
            assert np.all(np.isfinite([curve.x, curve.y])), result.name
            assert curve.style in ("line", "dashed", "points")
            assert not found.figure.log_y or np.all(curve.y > 0.0), result.name
    right, wrong = (PaperNumber("row", "column", "", 1.0, ours, 5e-4) for ours in (1.0005, 1.0006))
    assert (right.agrees, wrong.agrees) == (True, False)
    assert Reproduction(result, (right, wrong)).unexplained == (wrong,)
    reasoned = PaperNumber("row", "column", "", 1.0, 1.0006, 5e-4, "the scan is blurred")
    assert Reproduction(result, (right, reasoned)).unexplained == ()
    with pytest.raises(dyn.ModelError, match="no result"):
        reproduce("r87_table_9")


def test_rows_add_up_to_their_totals() -> None:
    # 28 additions, 26 multiplications and 3 divisions a link: each agrees, and the rows add up to them.
    found = numbers_of("r87_table_2")
    assert all(number.agrees for number in found.values())
    totals = {"additions": 28.0, "multiplications": 26.0, "divisions": 3.0}
    for column, total in totals.items():
        assert found["Total", column].ours == total
        assert sum(n.ours for (row, at), n in found.items() if at == column and row != "Total") == pytest.approx(total)
    # The differences of the rows add up to the difference of the total.
    for name in ("tml_table_2", "tml_table_3", "tml_table_4", "tml_table_5"):
        found = numbers_of(name)
        for column in ("multiplications", "additions"):
            apart = sum(n.ours - n.published for (row, at), n in found.items() if at == column and row != "Total")
            total = found["Total", column]
            assert total.ours - total.published == pytest.approx(apart), (name, column)
