"""What is seen of a study: every row in a cell, each cell with a row of its own, and how much each variable decides."""

from __future__ import annotations

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.document.models import DocumentModelManager
from numpy.typing import NDArray

import dynamics as dyn
from app.studies.cells import COLUMNS, LEVELS, decided, is_wide
from app.studies.look import look_at
from app.studies.plots import StudyPlots


def test_every_row_is_in_the_cell_that_says_so() -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    find = "filter.joint_inertia:" + arm.joint_names[-1]
    study = dyn.study(arm, {"q": (-2.0, 2.0)}, find, 3000)
    look = look_at(study, 3000, ())
    values = study.column(find)
    assert look.study.values is None
    assert list(look.pictures) == sorted(look.pictures, key=lambda name: -look.pictures[name].decides)
    for name, picture in look.pictures.items():
        drawn = study.column(name)
        assert picture.counts.sum() == len(values)
        assert ((picture.rows >= 0) == (picture.counts > 0)).all()
        for level, column in zip(*np.nonzero(picture.counts), strict=True):
            row = picture.rows[level, column]
            for at, ends, count, place in (
                (drawn[row], picture.ends, COLUMNS, column), (values[row], look.ends, LEVELS, level)
            ):  # fmt: skip
                share = (at - ends[0]) / (ends[1] - ends[0]) * count
                assert place - 1e-9 <= share <= place + 1 + 1e-9
    for kept, rows in ((look.largest, look.found.largest), (look.smallest, look.found.smallest)):
        assert kept.shape == (len(rows), len(look.pictures))
        for at, (name, picture) in enumerate(look.pictures.items()):
            there = picture.ends[0] + kept[:, at] * (picture.ends[1] - picture.ends[0])
            np.testing.assert_allclose(there, study.column(name)[[row for row, _ in rows]], atol=1e-12)
    assert look.steps[-1][0] == 3000
    assert look.steps[-1][3] == look.found.quantile(0.5)


@pytest.mark.slow
def test_it_is_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused rows among them, and what is watched beside."""
    arm = dyn.single_arm(dyn.planar_chain(2))
    over = {"mass:link_1": (-0.5, 2.0), "q": (-1.0, 1.0), "gravity": [1.0, 9.81]}
    study = dyn.study(arm, over, ("tip_acceleration", "mass_matrix:condition"), 200, state=arm.home())
    assert study.refused > 0 < 400
    whole = look_at(study, 400, ())
    monkeypatch.setattr("app.studies.look.BLOCK", 37)
    parts = look_at(study, 400, ())
    assert whole.first == parts.first == "mass_matrix:condition"
    assert set(whole.pictures) == {*(one.name for one in study.problem.variables), "mass_matrix:condition"}
    assert list(whole.pictures) == list(parts.pictures)
    for name, one in whole.pictures.items():
        other = parts.pictures[name]
        assert one.counts.sum() == 400 - study.refused
        assert (one.counts == other.counts).all()
        assert (one.rows == other.rows).all()
        assert (one.ends, one.is_log) == (other.ends, other.is_log)
        np.testing.assert_allclose(one.decides, other.decides, rtol=1e-9, atol=1e-12)
    conditions = study.column("mass_matrix:condition")
    picture = whole.pictures["mass_matrix:condition"]
    assert picture.ends == pytest.approx((np.nanmin(conditions), np.nanmax(conditions)))
    assert (whole.largest == parts.largest).all()


def test_a_click_opens_the_nearest_state_that_a_finger_reaches() -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    find = "filter.joint_inertia:" + arm.joint_names[-1]
    study = dyn.study(arm, {"q": (-2.0, 2.0)}, find, 200)
    look, heard = look_at(study, 200, ()), list[int]()
    plots = StudyPlots(heard.append)
    name, picture = next(iter(look.pictures.items()))
    plots.show(look, name, "x", "y")
    for row in range(0, 200, 20):
        plots._tapped(study.column(name)[row], study.column(find)[row])
    for row, at in zip(range(0, 200, 20), heard, strict=True):
        first = study.column(name)[[row, at]]
        assert abs(first[0] - first[1]) <= (picture.ends[1] - picture.ends[0]) / COLUMNS + 1e-9
    there = study.column(name)[0], study.column(find)[0]
    for nothing in (None, np.nan, np.inf, "1", [], 1e9, 10**400):  # a browser may say anything
        plots._tapped(nothing, there[1])
        plots._tapped(there[0], nothing)
    assert len(heard) == 10


def test_what_was_drawn_is_counted_where_it_lies() -> None:
    """A mass that cannot be is refused: there are no bars below nothing."""
    arm = dyn.single_arm(dyn.planar_chain(2))
    study = dyn.study(arm, {"mass:link_1": (-1.0, 1.0)}, "filter.joint_inertia", 300)
    look, plots = look_at(study, 300, ()), StudyPlots(lambda _: None)
    plots.show(look, "mass:link_1", "mass of link_1", "y")
    bars = plots._drawn_bar.data_source.data
    masses = study.column("mass:link_1")
    good = masses[np.isfinite(study.column("filter.joint_inertia"))]
    counted = [int(((good > low) & (good < high)).sum()) for low, high in zip(bars["left"], bars["right"], strict=True)]
    assert sum(bars["top"]) == len(good) == 300 - study.refused
    assert study.refused > 0
    np.testing.assert_allclose(bars["top"], counted, atol=1)  # the ends of the range are rows themselves
    assert plots._drawn.title.text == "How many states have which: mass of link_1"


def test_the_same_look_is_drawn_once() -> None:
    """Progress is told more often than there is another look, and nothing is sent to the browser for it."""
    arm = dyn.single_arm(dyn.load("puma560"))
    study = dyn.study(arm, {"q": (-2.0, 2.0)}, "filter.joint_inertia", 50)
    look, plots = look_at(study, 50, ()), StudyPlots(lambda _: None)
    first, second = list(look.pictures)[:2]
    plots.show(look, first, "x", "y")
    sent = plots._cells.data
    plots.show(look, first, "x", "y")
    assert plots._cells.data is sent
    plots.show(look, second, "x", "y")
    assert plots._cells.data is not sent
    plots.show(None, "", "", "")
    assert not plots.view.visible


def test_another_look_changes_no_model_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bokeh looks through every model of a page when one is put in another's place."""
    arm = dyn.single_arm(dyn.planar_chain(2))
    over = {"q": (-1.0, 1.0), "dt": [1e-3, 1e-2], "method": ["rk4", "heun"]}
    studies = [
        dyn.study(arm, over, "run:drift", count, state=arm.home(), duration=0.02, dt=1e-2) for count in (5, 20, 40)
    ]
    first, *others = (look_at(study, 160, ()) for study in studies)
    plots, document = StudyPlots(lambda _: None), Document()
    for against in first.pictures:
        plots.show(first, against, "x", "y")
    for figure in (plots._rows, plots._spread, plots._drawn, plots._steps, plots._across):
        document.add_root(figure)
    plots.show(first, "dt", "x", "y")
    told = list[int]()
    monkeypatch.setattr(DocumentModelManager, "invalidate", lambda _: told.append(1))
    for look in others:
        plots.show(look, "dt", "x", "y")
    assert not told
    plots.show(others[-1], "method", "x", "y")
    plots.show(others[-1], "q:joint_1", "x", "y")
    assert told  # words and numbers have tickers of their own kinds


def test_equal_numbers_and_refused_rows_have_room() -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    tip = "filter.joint_inertia:" + arm.joint_names[0]
    study = dyn.study(arm, {"q:" + arm.joint_names[0]: (-1.0, 1.0)}, tip, 50)
    look = look_at(study, 50, ())
    assert look.ends[0] < look.ends[1]
    assert sum(picture.counts.sum() for picture in look.pictures.values()) == 50


def test_what_decides_is_the_share_of_the_variance() -> None:
    random = np.random.default_rng(1)
    x, y = random.random(200_000), random.random(200_000)
    column = np.minimum((x * COLUMNS).astype(int), COLUMNS - 1)

    def told(values: NDArray[np.float64], n: int) -> float:
        away = values[:n] - values[:n].mean()
        sums = np.bincount(column[:n], weights=away, minlength=COLUMNS)
        return decided(np.bincount(column[:n], minlength=COLUMNS), sums, float((away**2).sum()))

    for weight in (0.0, 0.5, 2.0):
        share = weight**2 / (weight**2 + 1.0)
        assert abs(told(weight * x + y, len(x)) - share) < 0.01
    assert told(np.zeros(len(x)), len(x)) == 0.0
    assert told(y, 20) >= 0.0


def test_powers_of_ten_are_for_what_is_wide_and_positive() -> None:
    assert is_wide(np.array([1e-6, 1.0]))
    assert not is_wide(np.array([0.0, 1.0]))
    assert not is_wide(np.array([-1.0, 1e6]))
    assert not is_wide(np.array([1.0, 2.0]))
    assert not is_wide(np.array([]))
