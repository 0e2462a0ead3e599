"""Cost: each number is that of ``count_operations``, each crossing is one, and tables are the paper's."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.instruments.cost.counts import (
    COUNTED,
    FORMULATIONS,
    GROUPS,
    OPERATIONS,
    PUBLISHED,
    Growth,
    count_group,
    crossings,
    paper_tables,
    through,
)
from dynamics.papers import count_operations, critical_path

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def growths() -> dict[str, Growth]:
    return {each.method.key: each for group in GROUPS for each in list(count_group(group))[-1]}


@given(st.lists(st.integers(-2400, 2400).map(lambda k: Fraction(k, 6)), min_size=1, max_size=4))
def test_a_polynomial_is_found_again_and_no_other(law: list[Fraction]) -> None:
    values = {n: float(sum(c * n**power for power, c in enumerate(law))) for n in (1, 2, 3, 4, 5, 9, 31)}
    found = through(values)
    assert found is not None
    assert all(found(n) == pytest.approx(value) for n, value in values.items())
    assert found(13) == pytest.approx(float(sum(c * 13**power for power, c in enumerate(law))))
    assert through(values | {31: values[31] + 1}) is None  # another count does not bear it out


def test_counts_are_polynomials_at_lengths_that_were_not_asked(growths: dict[str, Growth]) -> None:
    for key, growth in growths.items():
        assert set(growth.polynomials) == {*OPERATIONS, "flops"}, key  # each count is a polynomial
        for n in (9, 14):
            assert n not in growth.flops
            direct = count_operations(key, n)
            for name in OPERATIONS:
                assert round(growth.polynomials[name](n)) == getattr(direct, name)
            assert growth.polynomials["flops"](n) == pytest.approx(direct.flops)
            if direct.published is not None:
                for name in OPERATIONS[:3]:
                    assert growth.published[name](n) == pytest.approx(getattr(direct.published, name))
        assert all(growth.polynomials["flops"](n) == pytest.approx(flops) for n, flops in growth.flops.items())


def test_where_lines_cross(growths: dict[str, Growth]) -> None:
    found = {
        (one.kind, one.cheaper.key, one.other.key): one.first
        for group in GROUPS
        for one in crossings([growths[method.key] for method in group.methods])
    }
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


def test_tables_of_the_paper_are_as_printed_and_as_counted() -> None:
    tables = {table.number: table for table in paper_tables()}
    assert [row.published for row in tables[1].rows] == [tables[k].total.published for k in (2, 3, 4)]
    for n in (3, 11):
        for method, (number, _, _) in FORMULATIONS.items():
            direct, table = count_operations(method, n), tables[number]
            printed = [direct.published.multiplications, direct.published.additions]
            assert [law(n) for law in table.total.published] == pytest.approx(printed), number
            assert [law(n) for law in table.total.counted] == [direct.multiplications, direct.additions]
            for row, own in zip(table.rows, direct.published.rows, strict=True):
                assert row.term == own.term
                assert [law(n) for law in row.counted] == list(own.counted[:2]), row.term
                assert [law(n) for law in row.published] == pytest.approx(own.published[:2]), row.term
                assert row.published == row.counted or row.reason, row.term
        path = critical_path("newton_euler_modified", n)
        assert [law(n) for law in tables[5].total.counted] == list(path.path[:2])
        assert [law(n) for law in tables[5].total.published] == list(path.published)
        for row, own in zip(tables[5].rows, path.rows, strict=True):
            assert [law(n) for law in row.counted] == list(own.counted[:2])
            assert row.published == row.counted or row.reason, row.term
