"""What a replay carries of the walk is what the page says of the same moment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.motion.interventions import Released
from app.replay.parcel import Parcel
from app.replay.walks import BLANK, COLOR, Walks
from app.state import Session, walk
from app.walker.step_sheet import step_html
from tests.app.replay.test_parcel import array_of, opened, series_of

pytestmark = [pytest.mark.compiled_only, pytest.mark.slow]


def carried(session: Session, times: list[float]) -> tuple[Any, bytes]:
    walks = Walks(session, np.array(times))
    for _ in walks.read():
        pass
    parcel = Parcel()
    return opened(parcel.packed(walks.data(parcel)))


def run_until(session: Session, end: float) -> None:
    while session.run.end < end:
        session.run.accept(session.run.compute())


@pytest.mark.parametrize("preset", ["point_contact", "free_flyer_drifting", "long_chain"])
def test_every_number_and_word_of_every_half_step(preset: str) -> None:
    session = Session(preset)
    run_until(session, 0.6)
    times = [0.0, 0.217, 0.55]
    data, held = carried(session, times)
    (stretch,) = data["stretches"]
    numbers = series_of(stretch["numbers"], held)
    odd = {(at, step): (page, array_of(own, held)) for at, step, page, own in stretch["odd"]}
    first = np.concatenate([[0], np.cumsum(stretch["counts"])])
    for at, time in enumerate(times):
        session.seek(time)
        shown = session.run.solution_at(time)
        reading = dyn.read_textbook(shown.system, shown.state, shown.tau, session.run.wrench_at(time))
        difference = dyn.stage_difference(reading.solution, shown)
        for step, place in enumerate(walk.whole_walk(shown.system)):
            for theme in ("light", "dark"):
                figures = Figures.of(reading)
                page = step_html(reading, difference, place, theme, figures)
                own, values = odd.get((at, step), (stretch["pages"][step], numbers[first[step] : first[step + 1], at]))
                assert BLANK not in page
                assert own["text"] == COLOR.sub(BLANK, page)
                assert own["colors"][theme] == COLOR.findall(page)
                assert np.array_equal(values, figures.numbers, equal_nan=True)


@pytest.mark.parametrize("preset", ["four_arms_and_box", "free_flyer"])
def test_one_walks_as_on_the_page(preset: str) -> None:
    """From every half-step, along everything: the tables lead to where the session's own cursor goes."""
    session = Session(preset)
    data, _ = carried(session, [0.0])
    (stretch,) = data["stretches"]
    places = walk.whole_walk(session.system)
    assert stretch["steps"] == [[place.stage, place.link, place.half] for place in places]
    moves = {"half": session.walk_half, "link": session.walk_link, "stage": session.walk_stage, "arm": session.walk_arm}
    for step, place in enumerate(places):
        for along, move in moves.items():
            for which, count in enumerate((-1, 1)):
                session.walk_to(place)
                move(count)
                assert places[stretch["moves"][along][step][which]] == session.place
        for link in range(session.system.n_links):
            session.walk_to(place)
            session.select_link(link)
            assert places[stretch["links"][step][link]] == session.place


def test_a_release_begins_another_walk() -> None:
    session = Session("two_arms_and_box")
    run_until(session, 0.5)
    session.seek(0.3)
    session.release()
    run_until(session, 0.6)
    assert [type(each) for each in session.setup.interventions] == [Released]
    data, held = carried(session, [0.0, 0.2, 0.4, 0.5])
    before, after = data["stretches"]
    assert (before["times"], after["times"]) == ([0.0, 0.2], [0.4, 0.5])
    assert "contact" in {stage for stage, *_ in before["steps"]} - {stage for stage, *_ in after["steps"]}
    assert series_of(after["numbers"], held).shape == (sum(after["counts"]), 2)


def test_a_broken_text_is_carried_broken() -> None:
    session = Session("puma560")
    run_until(session, 0.3)
    plain, _ = carried(session, [0.25])
    session.breaks = frozenset({session.reading().lines("filter", 0, 1)[0].breaks[0].key})
    broken, _ = carried(session, [0.25])
    texts = [data["stretches"][0]["pages"][0]["text"] for data in (plain, broken)]
    assert ["Broken in one place" in text for text in texts] == [False, True]
