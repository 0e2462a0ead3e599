"""What is seen of a study, and a state of it opened on the page: the same machine, the same number."""

import numpy as np
import pytest

import dynamics as dyn
from app.motion.world import FIXED, STEPS, Numerics
from app.number_text import number_text
from app.state import Session
from app.state.address import query_of
from app.studies.question import KINDS, LISTED, Query, kinds_of, ranges, read, ready_of, start_of, value_at, watches_of
from app.studies.summary import COLUMNS, LEVELS, ROUNDING, decided, found_of, look_at, opened_html
from tests.app.arrival import restore

pytestmark = pytest.mark.compiled_only
HELD, PRESETS = "two_arms_and_box", ("puma560", "two_arms_and_box", "free_flyer", "two_arm_flyer")
SLOW = ("agreement", "rho", "identity")


def studied(session: Session, asked: Query, count: int) -> dyn.Study:
    system, state = start_of(session.run)
    how = {"duration": asked.duration or None, "dt": asked.step}
    return dyn.study(system, ranges(asked, system, state), asked.find, count, state=state, **how)


def opened(name: str, study: dyn.Study, asked: Query, row: int) -> tuple[Session, Session]:
    """What the page shows of a row; and what it shows once that is read again from its link."""
    session = Session(name)
    watch = watches_of(session.system, session.solution())[asked.find]
    found, _ = found_of(session.setup, study.moment(row), asked, watch, "Study")
    found.show(session)
    again = Session("planar_chain")
    restore(again, query_of(session))
    assert not again.message
    assert (again.tab, again.beside, again.place) == (session.tab, session.beside, session.place)
    assert not again.playing
    return session, again


def test_every_row_is_in_the_cell_that_says_so() -> None:
    arm = dyn.single_arm(dyn.load("puma560"))
    find = "filter.joint_inertia:" + arm.joint_names[-1]
    study = dyn.study(arm, {"q": (-2.0, 2.0)}, find, 3000)
    look, values = look_at(study, 3000, ()), study.column(find)
    assert list(look.pictures) == sorted(look.pictures, key=lambda name: -look.pictures[name].decides)
    for name, picture in look.pictures.items():
        drawn = study.column(name)
        assert picture.counts.sum() == len(values)
        assert ((picture.rows >= 0) == (picture.counts > 0)).all()
        rows, places = picture.rows[picture.counts > 0], np.argwhere(picture.counts > 0)
        shares = np.stack([look.axis.along(values[rows]) * LEVELS, picture.axis.along(drawn[rows]) * COLUMNS], axis=1)
        assert ((shares >= places - 1e-9) & (shares <= places + 1 + 1e-9)).all()
        for kept, ends in ((picture.largest, look.found.largest), (picture.smallest, look.found.smallest)):
            np.testing.assert_allclose(kept, picture.axis.along(drawn[[row for row, _ in ends]]))


def test_what_decides_is_the_share_of_the_variance() -> None:
    x, y = np.random.default_rng(1).random((2, 200_000))
    column = np.minimum((x * COLUMNS).astype(int), COLUMNS - 1)
    for weight in (0.0, 0.5, 2.0):
        values = weight * x + y
        share = weight**2 / (weight**2 + 1.0)
        assert abs(decided(column, values - values.mean()) - share) < 0.01
    assert decided(column, np.zeros(len(x))) == 0.0


def test_the_page_finds_what_the_study_reports() -> None:
    """For every second ready question of each machine, and for all that varies at once."""
    for number, name in enumerate(PRESETS):
        session = Session(name)
        system, known = session.system, watches_of(session.system, session.solution())
        everything = {kind: KINDS[kind].far if kind != "q" else 0.2 for kind in kinds_of(system) if kind not in LISTED}
        questions = [asked for asked in ready_of(system).values() if not asked.duration]
        questions += [Query(everything, find, 1000) for find in ("tip_acceleration", "smoother.acceleration")]
        questions += [Query({"tau": 10.0}, find, 1000) for find in ("identity", "contact.omega:condition")]
        for asked in [one for one in questions if one.find in known][number % 2 :: 2]:
            count = 64 if set(asked.over) <= {"q", "tau"} and asked.find not in SLOW else 3
            study, watch = studied(session, asked, count), known[asked.find]
            row, value = study.found[asked.find].largest[0] if number < 2 else study.found[asked.find].smallest[0]
            here = value_at(opened(name, study, asked, row)[1].run.solution_at(0.0), asked.find)
            words = opened_html(row, value, here, watch)
            if watch.sound[0] <= value <= watch.sound[1]:
                assert number_text(here) == number_text(value)
                assert ROUNDING not in words
            else:  # of a posture closed once more
                assert here < 100.0 * value + 1e-12
                assert ROUNDING in words


def test_a_row_of_motions_is_opened_with_its_own_step_and_integrator() -> None:
    asked = Query({"dt": KINDS["dt"].far, "method": KINDS["method"].far}, "run:drift", 100, 0.3)
    study = studied(Session(HELD), asked, 1)
    assert study.size == len(STEPS) * len(FIXED)
    for row in (0, 10, 20):
        moment = study.moment(row)
        linked = opened(HELD, study, asked, row)[1]
        own = asked.numerics(moment)
        assert linked.setup.numerics == own == Numerics(moment.drawn["method"], moment.drawn["dt"])
        here = value_at(linked.run.solution_at(0.0), asked.find, asked.duration, own)
        assert here == pytest.approx(moment.found[asked.find], rel=1e-5, abs=1e-12)  # the least are rounding itself


def test_the_page_s_own_run_ends_where_the_study_says() -> None:
    for name, find in ((HELD, "end.position:object.z"), ("puma560", "end.filter.joint_inertia:joint_1")):
        asked = Query({"tau": 3.0, "gravity": 9.81}, find, 100, 0.6, 5e-3)
        study = studied(Session(name), asked, 3)
        row, value = study.found[find].largest[0]
        shown, _ = opened(name, study, asked, row)
        assert (shown.time, shown.setup.numerics.step) == (pytest.approx(0.6), 5e-3)
        assert number_text(value_at(shown.solution(), find)) == number_text(value)


def test_a_ready_question_comes_back_from_its_link() -> None:
    for name in PRESETS:
        session = Session(name)
        kinds, watches = kinds_of(session.system), watches_of(session.system, session.solution())
        for asked in ready_of(session.system).values():
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
