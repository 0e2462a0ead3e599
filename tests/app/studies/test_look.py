"""What is seen of a study: every row in a cell, each cell with a row, and how much each variable decides."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import dynamics as dyn
from app.studies.cells import COLUMNS, LEVELS, decided
from app.studies.look import look_at
from app.studies.plots import StudyPlots
from app.studies.watched import watches_of
from app.studies.words import found_html
from tests.app.upload.test_upload import chain


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


def test_it_is_the_same_in_blocks_of_any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refused rows among them, and what is watched beside."""
    arm = dyn.single_arm(dyn.planar_chain(2))
    over = {"mass:link_1": (-0.5, 2.0), "q": (-1.0, 1.0), "gravity": [1.0, 9.81]}
    study = dyn.study(arm, over, ("tip_acceleration", "mass_matrix:condition"), 100, state=arm.home())
    assert 0 < study.refused < 200
    whole = look_at(study, 200, ())
    monkeypatch.setattr("app.studies.look.BLOCK", 37)
    parts = look_at(study, 200, ())
    assert whole.first == parts.first == "mass_matrix:condition"
    assert set(whole.pictures) == {*(one.name for one in study.problem.variables), "mass_matrix:condition"}
    assert list(whole.pictures) == list(parts.pictures)
    for name, one in whole.pictures.items():
        other = parts.pictures[name]
        assert one.counts.sum() == 200 - study.refused
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


def test_a_name_of_a_joint_is_words_and_no_formula() -> None:
    system = dyn.single_arm(dyn.load_urdf_text(chain(2).replace(b"'j1'", b"'&lt;i&gt;$$x$$'")))
    (joint,) = (name for name in system.joint_names if "<i>" in name)
    find = f"filter.joint_inertia:{joint}"
    study = dyn.study(system, {"q": (-1.0, 1.0)}, find, 20, state=system.home())
    look, plots = look_at(study, 20, ()), StudyPlots(lambda _: None)
    watch = watches_of(system, dyn.forward_dynamics(system, system.home()))[find]
    for against in look.pictures:
        shown = found_html(look, watch, against)
        assert "<i>" not in shown
        assert "&lt;i&gt;" in shown
        plots.show(look, against, against, watch.words)
        assert "$$" not in plots._drawn.title.text
