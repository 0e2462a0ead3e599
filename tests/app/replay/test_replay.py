"""A recording made into a file carries its motion, walk and curves, and nothing in it becomes markup."""

from __future__ import annotations

import base64
import gzip
import json
import re
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.equations.sheet import Figures
from app.instruments.walk.step_sheet import step_html
from app.replay import Parcel
from app.replay.walks import BLANK, COLOR, Walks
from app.state import Session, walk
from dynamics.reading import stage_difference
from tests.app.arrival import computed


def opened(packed: bytes) -> tuple[Any, bytes]:
    whole = gzip.decompress(packed)
    length = int.from_bytes(whole[:8], "little")
    return json.loads(whole[8 : 8 + length]), whole[8 + length :]


def array_of(reference: dict[str, Any], held: bytes) -> np.ndarray:
    return np.frombuffer(held, reference["type"], reference["count"], reference["at"])


def series_of(reference: dict[str, Any], held: bytes) -> np.ndarray:
    size = np.dtype(reference["type"]).itemsize
    shape = (size, reference["distinct"], reference["instants"])
    steps = np.frombuffer(held, np.uint8, int(np.prod(shape)), reference["planes"]).reshape(shape)
    planes = np.cumsum(steps, axis=2, dtype=np.uint8)
    values = np.ascontiguousarray(planes.transpose(1, 2, 0)).reshape(shape[1], -1).view(reference["type"])
    return values[array_of(reference["rows"], held)]


def test_series_keep_every_bit() -> None:
    for kind in [np.float32, np.float64]:
        rng = np.random.default_rng(7)
        odd = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, np.finfo(kind).tiny, np.finfo(kind).max], kind)
        rows = np.concatenate([rng.normal(size=(20, 7)).astype(kind), [odd, odd, -odd], np.zeros((2, 7), kind)])
        parcel = Parcel()
        packed = parcel.compressed({"odd": parcel.array(np.arange(3, dtype=np.uint8)), "rows": parcel.series(rows)})
        data, held = opened(packed)
        assert series_of(data["rows"], held).tobytes() == rows.tobytes()
        assert data["rows"]["distinct"] == len(rows) - 2  # `odd` and the zeros occur twice; zeros of two signs are two
        assert array_of(data["odd"], held).tolist() == [0, 1, 2]


pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def recording() -> dyn.Recording:
    system, state = dyn.example("two_planar_arms")
    return dyn.simulate(system, state, duration=0.4, events=[dyn.Release(0.2)])


def parcel_of(text: str) -> tuple[dict[str, Any], bytes]:
    found = re.search(r'id="parcel">([^<]*)', text)
    assert found
    return opened(base64.b64decode(found[1]))


@pytest.fixture(scope="module")
def written(recording: dyn.Recording, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("replay") / "motion.html"
    recording.to_html(path, title="</script><b>two</b> {{parcel}}", walked=0.1)
    return path.read_text("utf-8")


def test_a_title_is_words_wherever_it_stands(written: str) -> None:
    head = written.partition('id="parcel"')[0]
    assert "<title>&lt;/script&gt;&lt;b&gt;two&lt;/b&gt; {{parcel}} · Armsweep replay</title>" in head
    assert (parcel_of(written)[0]["title"], written.count("<script")) == ("</script><b>two</b> {{parcel}}", 2)
    assert written.count("</script>") == 2


def test_bodies_stand_where_the_recording_has_them(written: str, recording: dyn.Recording) -> None:
    data, held = parcel_of(written)
    pictures = data["pictures"]
    poses = series_of(pictures["poses"], held).reshape(len(pictures["scene"]["meshes"]), 3, 4, -1)
    times = [min(0.02 * k, 0.4) for k in range(poses.shape[-1])]
    compared = 0
    for at, time in enumerate(times):
        system, state = recording.system_at(time), recording.state_at(time)
        links = dyn.forward_kinematics(system, state).pose
        for mesh, said in enumerate(pictures["scene"]["meshes"]):
            if said["kind"] == "link" and "link" in said:
                assert np.abs(poses[mesh, ..., at] - links[said["link"]][:3]).max() < 1e-5
                compared += 1
            elif said["kind"] == "object":
                assert np.abs(poses[mesh, ..., at] - state.object_pose[:3]).max() < 1e-5
                compared += 1
    assert compared >= len(times) * (recording.system_at(0.0).n_links + 1)


def test_curves_are_those_of_every_link(written: str, recording: dyn.Recording) -> None:
    """The Kalman gain of each link, read from the file, against the mechanics at the same instants."""
    data, held = parcel_of(written)
    tab = next(tab for tab in data["curves"]["tabs"] if tab["name"] == "Filter")
    system = recording.system_at(0.0)
    assert len(tab["looks"]) == len(tab["samples"]) == system.n_links
    for link in range(system.n_links):
        times, *lines = series_of(tab["samples"][link][0], held)
        for at in range(0, len(times), 37):
            solution = recording.solution_at(float(times[at]))
            gain = np.ravel(solution.stages["filter"]["kalman_gain"][link])
            shown = np.array([line[at] for line in lines])
            assert np.abs(shown - gain).max() <= 1e-9 * np.abs(gain).max()


def carried(session: Session, times: list[float]) -> tuple[Any, bytes]:
    walks = Walks(session, np.array(times))
    list(walks.read())
    parcel = Parcel()
    return opened(parcel.compressed(walks.data(parcel)))


def test_every_number_and_word_of_every_half_step() -> None:
    for preset in ["point_contact", "free_flyer_drifting"]:
        session = Session(preset)
        computed(session.run, 0.6)
        times = [0.217]
        data, held = carried(session, times)
        (stretch,) = data["stretches"]
        numbers = series_of(stretch["numbers"], held)
        odd = {(at, step): (page, array_of(own, held)) for at, step, page, own in stretch["odd"]}
        first = np.concatenate([[0], np.cumsum(stretch["counts"])])
        for at, time in enumerate(times):
            session.seek(time)
            shown = session.run.solution_at(time)
            reading = dyn.read_textbook(shown.system, shown.state, shown.tau, session.run.wrench_at(time))
            difference = stage_difference(reading.solution, shown)
            for step, place in enumerate(walk.whole_walk(shown.system)):
                for theme in ("light", "dark"):
                    figures = Figures.of(reading)
                    page = step_html(reading, difference, place, theme, figures)
                    own, values = odd.get(
                        (at, step), (stretch["pages"][step], numbers[first[step] : first[step + 1], at])
                    )
                    assert BLANK not in page
                    assert (own["text"], own["colors"][theme]) == (COLOR.sub(BLANK, page), COLOR.findall(page))
                    assert np.array_equal(values, figures.numbers, equal_nan=True)


def test_one_walks_as_on_the_page() -> None:
    """From every half-step, along everything: the tables lead to where the session's own cursor goes."""
    session = Session("point_contact")
    data, _ = carried(session, [0.0])
    (stretch,) = data["stretches"]
    places = walk.whole_walk(session.system)
    assert stretch["steps"] == [[place.stage, place.link, place.half] for place in places]
    moves = {along: getattr(walk, f"walk_{along}") for along in ("half", "link", "stage", "arm")}
    for step, place in enumerate(places):
        for along, move in moves.items():
            for which, count in enumerate((-1, 1)):
                session.walk_to(place)
                session.walk_by(move, count)
                assert places[stretch["moves"][along][step][which]] == session.place
        for link in range(session.system.n_links):
            session.walk_to(place)
            session.select_link(link)
            assert places[stretch["links"][step][link]] == session.place
