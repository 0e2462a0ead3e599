"""Walk: its sheets, matrices and controls at moments that differ in what there is to walk."""

import re

import numpy as np
import pytest

import dynamics as dyn
from app.instruments.walk import Walker
from app.instruments.walk.links_sheet import COLUMNS, LinksSheet
from app.instruments.walk.matrix_tab import OF_SYSTEM, MatrixTab, of_system
from app.state import Session, walk
from app.state.address import asked, query_of
from app.state.machine_loader import RefusedError
from app.state.walk import AutoWalk, Place
from tests.app.arrival import arrival
from tests.app.state.test_walk import EXAMPLES

pytestmark = pytest.mark.compiled_only


async def test_a_matrix_of_another_machine_makes_way_before_it_is_computed() -> None:
    session = Session("puma560")
    session.playing = False
    session.param.update(sheet="Matrices", matrix="M, mass matrix")

    async def drawn(walker: Walker) -> str:
        await arrival(session, lambda: "<table" in walker._matrix.sheet.html, walker.draw)
        return walker._matrix.sheet.html

    walker = Walker(session, AutoWalk(session))
    assert "link_6" in await drawn(walker)
    session.open_preset("planar_chain")
    walker.draw()
    assert "It is being computed" in walker._matrix.sheet.html
    assert "link_6" not in walker._matrix.sheet.html
    assert "It is being computed" not in await drawn(walker)
    session.jobs.stop()


def test_a_link_says_which_sheet_is_open() -> None:
    session = Session("puma560")
    walker = Walker(session, AutoWalk(session))
    walker._tabs.active = "Matrices"
    assert query_of(session)["sheet"] == "Matrices"
    walker._tabs.active = "Step"
    assert "sheet" not in query_of(session)
    other = Session("puma560")
    asked({"preset": "puma560", "sheet": "Links"}, other).show(other)
    later = Walker(other, AutoWalk(other))
    later.draw()
    assert later._tabs.active == "Links"
    with pytest.raises(RefusedError, match="sheet"):
        asked({"preset": "puma560", "sheet": "Steps"}, other)


def test_numbers_of_all_links_are_the_solutions_and_rounding_is_none() -> None:
    length = 0.02  # m, less than any body's radius here
    for name in EXAMPLES:
        system, state = dyn.example(name)
        solution = dyn.forward_dynamics(system, state, np.linspace(-0.4, 0.5, system.n_joints))
        for stage in walk.stages(system):
            _, link = next(iter(walk.visits(system, stage)))
            sheet = LinksSheet(system, Place(stage, 0, link, 0))
            table = sheet.numbers(solution).reshape(-1, len(COLUMNS[stage]))
            assert len(re.findall("<tr [^>]*data-go", sheet.html)) == len(table)
            for column, values in zip(COLUMNS[stage], table.T, strict=True):
                values, about = values[np.isfinite(values)], (name, stage, column.latex)
                sizes = np.abs(values)
                assert not ((sizes > 0) & (sizes <= 1e-12 * sizes.max(initial=0.0))).any(), about
                array = solution.stages[stage][column.name]
                whole = array if column.part is None else np.linalg.norm(array[:, column.part], axis=1)
                size = np.abs(array).max()  # of both parts: one is rounding beside the other, over a length
                for value in values:
                    assert np.abs(whole - value).min() <= 1e-12 * size / length, about


def shown(name: str, released: bool = False) -> tuple[dyn.Solution, dict[str, np.ndarray]]:
    system, state = dyn.example(name)
    solution = dyn.forward_dynamics(dyn.release(system) if released else system, state)
    return solution, {title: OF_SYSTEM[title](solution) for title in of_system(solution.system)}


def answer(solution: dyn.Solution, joint: int) -> np.ndarray:
    """What the joint accelerations gain from a unit torque at a joint."""
    unit = np.zeros(solution.system.n_joints)
    unit[joint] = 1.0
    pushed = dyn.forward_dynamics(solution.system, solution.state, solution.tau + unit)
    return pushed.joint_acceleration - solution.joint_acceleration


def test_matrices_are_what_their_titles_say_with_an_object_and_without() -> None:
    inverse = "M⁻¹, joints of its inverse"
    for name in ("puma560", "free_flyer", "two_arms_and_box", "point_contact"):
        solution, matrices = shown(name, released=False)
        if not solution.system.is_held:
            np.testing.assert_allclose(matrices[inverse][:, 1], answer(solution, 1), rtol=1e-9, atol=1e-9)
            assert not any("W" in title for title in matrices)
            continue
        free, whole = matrices["W_FREE = M⁻¹, the arms alone"], matrices["W = W_FREE − ΔW, holding the object"]
        np.testing.assert_allclose(whole[:, 2], answer(solution, 2), rtol=1e-7, atol=1e-9)
        assert np.abs(free[:, 2] - answer(solution, 2)).max() > 1e-3
        np.testing.assert_allclose(free - matrices["ΔW, what the object takes away"], whole, atol=1e-12)
        identity = free @ matrices["M, mass matrix of the arms alone"]
        np.testing.assert_allclose(identity, np.eye(len(free)), atol=1e-9)
        assert inverse not in matrices
        assert inverse in shown(name, released=True)[1]


def test_what_a_link_is_called_cannot_leave_the_comment_of_a_copy() -> None:
    session = Session("puma560")
    tab = MatrixTab(session, print)
    tab.draw(Place("filter", 0, 2, 0))
    tab._about = "P of a\n__import__('os')\u2028b"
    assert tab._text().count("\n") == 1
