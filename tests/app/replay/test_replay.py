"""A recording made into a file: what is refused, what it says of itself, and that nothing of it becomes markup."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.motion.recorded_run import RecordedRun
from app.replay import Parcel, Pictures, Replay
from app.replay.replay import instants
from app.state import Session
from tests.app.replay.test_parcel import opened, series_of

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def recording() -> dyn.Recording:
    """Of arms that let their object go on the way."""
    system, state = dyn.example("two_planar_arms")
    return dyn.simulate(system, state, duration=0.4, events=[dyn.Release(0.2)])


def parcel_of(text: str) -> tuple[dict[str, Any], bytes]:
    found = re.search(r'id="parcel">([^<]*)', text)
    assert found
    return opened(found[1])


@pytest.fixture(scope="module")
def written(recording: dyn.Recording, tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("replay") / "motion.html"
    recording.to_html(path, title="</script><b>two</b> {{parcel}}", walked=0.1)
    return path.read_text("utf-8")


@pytest.mark.slow
def test_a_title_is_words_wherever_it_stands(written: str) -> None:
    head = written.partition('id="parcel"')[0]
    assert "<title>&lt;/script&gt;&lt;b&gt;two&lt;/b&gt; {{parcel}} · Armsweep replay</title>" in head
    assert parcel_of(written)[0]["title"] == "</script><b>two</b> {{parcel}}"
    assert written.count("<script") == 2
    assert written.count("</script>") == 2


def test_it_asks_nobody_for_anything(written: str) -> None:
    """Addresses in it stand in comments and words of libraries; none is the place of a script, a style or a picture."""
    shell = re.sub(r'id="parcel">[^<]*', "", written)
    assert not re.findall(r"""(?:src=|href=|url\()['"]?(?:https?:)?//""", shell)


def test_it_says_what_it_carries(written: str) -> None:
    data, held = parcel_of(written)
    poses = series_of(data["pictures"]["poses"], held)
    read = [time for stretch in data["walks"]["stretches"] for time in stretch["times"]]
    assert re.search(r"carries (\d+) pictures, ([\d.]+) s apart", data["note"])[1] == str(poses.shape[1])  # type: ignore[index]
    assert re.search(r"walk at (\d+) instants, ([\d.]+) s", data["note"])[1] == str(len(read))  # type: ignore[index]
    assert read == pytest.approx([0.0, 0.1, 0.2, 0.3, 0.4])
    assert [stretch["times"][0] for stretch in data["walks"]["stretches"]] == pytest.approx([0.0, 0.2])
    assert poses.dtype == np.float32
    assert [event[:8] for event in data["events"]] == ["0.20 s: "]


def test_bodies_stand_where_the_recording_has_them(written: str, recording: dyn.Recording) -> None:
    """Every link and the object at every picture, against the recording's own states."""
    data, held = parcel_of(written)
    pictures = data["pictures"]
    poses = series_of(pictures["poses"], held).reshape(len(pictures["scene"]["meshes"]), 3, 4, -1)
    times = [min(0.02 * k, 0.4) for k in range(poses.shape[-1])]
    compared = 0
    for at, time in enumerate(times):
        system, state = recording.system_at(time), recording.state_at(time)
        links = dyn.link_poses(system, state)
        for mesh, said in enumerate(pictures["scene"]["meshes"]):
            if said["kind"] == "link" and said["link"] is not None:
                assert np.abs(poses[mesh, ..., at] - links[said["link"]][:3]).max() < 1e-5
                compared += 1
            elif said["kind"] == "object":
                assert state.object_pose is not None
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


@pytest.mark.parametrize("length", [0.05, 130.0])
def test_what_is_too_short_or_too_long_is_refused(length: float, recording: dyn.Recording, tmp_path: Path) -> None:
    segment = recording.segments[0]
    times = np.linspace(0.0, length, len(segment.times))
    other = dyn.Recording((dataclasses.replace(segment, times=times),))
    path = tmp_path / "no.html"
    with pytest.raises(dyn.StateError, match=r"a replay holds 0\.1 s to 120 s"):
        other.to_html(path)
    assert not path.exists()


def test_what_cannot_be_written_is_refused_before_anything_is_computed(
    recording: dyn.Recording, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Replay, "__init__", lambda *_: pytest.fail("it was computed"))
    for path, words in ((tmp_path, "cannot be written"), (tmp_path / "none" / "a.html", "cannot be written"),
                        (3, "expected that of a file")):  # fmt: skip
        with pytest.raises(dyn.StateError, match=words):
            recording.to_html(path)  # type: ignore[arg-type]
    for more, words in (
        ({"walked": 0.0}, "above zero"),
        ({"walked": np.nan}, "walked"),
        ({"title": 3}, "expected a text"),
    ):
        with pytest.raises(dyn.StateError, match=words):
            recording.to_html(tmp_path / "a.html", **more)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_was_there_stays_where_the_new_one_cannot_be_made(recording: dyn.Recording, tmp_path: Path) -> None:
    path = tmp_path / "mine.html"
    path.write_text("mine")
    with pytest.raises(dyn.StateError):
        recording.until(0.05).to_html(path)
    assert path.read_text() == "mine"


def test_a_recording_may_begin_at_any_time(recording: dyn.Recording) -> None:
    late = dyn.Recording(
        tuple(dataclasses.replace(each, times=each.times + 7.0) for each in recording.segments),
        tuple((time + 7.0, word) for time, word in recording.events),
    )
    one, other = RecordedRun(recording), RecordedRun(late)
    assert other.end == pytest.approx(0.4)
    assert [word for _, word in other.events] == [word for _, word in one.events]
    for time in (0.0, 0.133, 0.3, 0.4):
        here, there = one.solution_at(time), other.solution_at(time)
        assert np.allclose(here.joint_acceleration, there.joint_acceleration, rtol=1e-9, atol=1e-9)
        assert here.system.is_held == there.system.is_held == (time < 0.2)


def test_a_run_that_goes_on_is_refused() -> None:
    session = Session("planar_chain")
    with pytest.raises(dyn.StateError, match="not computed to its end"):
        Replay(session)


def test_every_instant_is_there_once() -> None:
    assert instants(1.0, 0.3).tolist() == pytest.approx([0.0, 0.3, 0.6, 0.9, 1.0])
    assert instants(0.9, 0.3).tolist() == pytest.approx([0.0, 0.3, 0.6, 0.9])
    assert instants(0.1, 0.2).tolist() == [0.0, 0.1]
    assert instants(0.1, 1e300).tolist() == [0.0, 0.1]


def test_a_slender_link_that_a_led_walk_looks_at_is_enlarged_until_it_is_seen() -> None:
    session = Session("puma560")
    pictures = Pictures(session, np.array([0.0, 0.02]), ["articulated_inertia", "articulated_inertia_updated"])
    assert len(list(pictures.draw())) > 1
    parcel = Parcel()
    data = pictures.data(parcel)
    (near,) = data["closeUps"]
    tip, base = near["links"][0], near["links"][-1]
    inertia = session.run.solution_at(0.0).stages["filter"]["articulated_inertia"]
    half = np.sqrt(np.linalg.eigvalsh(inertia[:, 3:, 3:])[:, -1])  # of an axis, in the unit of the scale
    assert half[0] < 0.1 * half[-1]
    assert half[0] * tip["times"] > 0.2 * half[-1]
    assert tip["whose"] == [0]
    assert tip["words"]["articulated_inertia"].endswith(" (at this link)")
    assert tip["larger"] == f" ×{tip['times']:g}"
    assert (base["times"], base["larger"]) == (1.0, "")


def test_what_is_enlarged_changes_as_the_object_goes(written: str) -> None:
    near = parcel_of(written)[0]["pictures"]["closeUps"]
    assert near[0]["since"] == 0.0
    assert near[1]["since"] == pytest.approx(0.2, abs=0.021)
    assert {len(each["links"]) for each in near} == {6}
