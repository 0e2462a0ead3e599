"""What is seen of a study, and a state of it opened on the page: the same machine, the same number."""

import numpy as np
from numpy.typing import NDArray

import dynamics as dyn
from app.number_text import number_text
from app.state import Session
from app.state.address import query_of, restore
from app.studies.asked import KINDS, LISTED, Asked, kinds_of, ranges, read, start_of
from app.studies.cells import COLUMNS, LEVELS, decided
from app.studies.look import look_at
from app.studies.moment import found_of
from app.studies.plots import StudyPlots
from app.studies.ready import ready_of
from app.studies.watched import value_at, watches_of
from app.studies.words import ROUNDING, found_html, opened_html
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
    assert (look.steps[-1][0], look.steps[-1][3]) == (3000, look.found.quantile(0.5))


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


def test_one_value_is_said_once() -> None:
    """The innermost joint's inertia hangs on the posture; the last link's, which carries nothing, does not."""
    system = dyn.single_arm(dyn.load("puma560"))
    known = watches_of(system, dyn.forward_dynamics(system, system.home()))
    for joint, is_one in ((system.joint_names[0], True), (system.joint_names[-1], False)):
        find = f"filter.joint_inertia:{joint}"
        look = look_at(dyn.study(system, {"q": (-1.0, 1.0)}, find, 50), 50, ())
        shown = found_html(look, known[find], "")
        assert ("The same in all 50 states:" in shown) == is_one
        assert shown.count("data-go='row") == (1 if is_one else 10)


PRESETS = ("puma560", "two_arms_and_box", "free_flyer", "two_arm_flyer")
SLOW = ("agreement", "rho", "residual")


def opened(session: Session, study: dyn.Study, find: str, row: int) -> dyn.Solution:
    """What the page shows of a row, read again from the link that it then has."""
    watch = watches_of(session.system, session.solution())[find]
    found, _ = found_of(session.setup, study.moment(row), find, watch, "Study")
    found.show(session)
    again = Session("planar_chain")
    restore(again, query_of(session))
    assert not again.message
    assert (again.tab, again.beside, again.place) == (session.tab, session.beside, session.place)
    assert not again.playing
    return again.run.solution_at(0.0)


def test_the_page_finds_what_the_study_reports() -> None:
    """For every second ready question of each machine, and for all that varies at once."""
    for number, name in enumerate(PRESETS):
        session = Session(name)
        system = session.system
        everything = {kind: KINDS[kind].far if kind != "q" else 0.2 for kind in kinds_of(system) if kind not in LISTED}
        base = f"filter.joint_inertia:{system.joint_names[-1]}"
        questions = [one.asked for one in ready_of(system) if one.asked.motion is None]
        questions += [Asked(everything, find, 1000) for find in (base, "smoother.acceleration")]
        known = watches_of(system, session.solution())
        rounded = [find for find in ("residual", "contact.omega:condition") if find in known]
        questions += [Asked({"tau": 10.0}, find, 1000) for find in rounded]
        for asked in questions[number % 2 :: 2]:
            session = Session(name)
            start, state = start_of(session.run)
            count = 64 if set(asked.over) <= {"q", "tau"} and asked.find not in SLOW else 3
            study = dyn.study(start, ranges(asked, start, state), asked.find, count, state=state)
            found = study.found[asked.find]
            row, value = found.largest[0] if number < 2 else found.smallest[0]
            here = value_at(opened(session, study, asked.find, row), asked.find)
            watch = watches_of(session.system, session.solution())[asked.find]
            words = opened_html(row, value, here, watch)
            if watch.sound[0] <= value <= watch.sound[1]:
                assert number_text(here) == number_text(value)
                assert ROUNDING not in words
            else:  # of a posture closed once more
                assert here < 100.0 * value + 1e-12
                assert ROUNDING in words


def test_a_link_says_a_question_and_nothing_else() -> None:
    for name in PRESETS:
        session = Session(name)
        kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
        for ready in ready_of(session.system):
            asked = ready.asked
            assert read(asked.text, watches, kinds) == asked
            session.study = asked.text
            again = Session("planar_chain")
            restore(again, query_of(session))
            assert again.study == asked.text
        for text in (
            "", ";;", "q:nan;agreement;1000", "q:1;agreement;999", "q:1;<b>;1000", "q:1e9;agreement;1000",
            "nothing:1;agreement;1000", ";agreement;1000", "q:1,;agreement;1000", "q;agreement;1000",
        ):  # fmt: skip
            assert read(text, watches, kinds) is None, text
