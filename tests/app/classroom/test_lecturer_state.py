"""What followers see of a session: where it is, in which run, its parts, and nothing that its browser makes up."""

import gzip
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from app.classroom import lecturer_state as leading
from app.classroom.lecture import Lecture
from app.classroom.lecturer_state import Lead, Part, RunParts
from app.replay.curves import Parcel
from app.replay.walks import Walks
from app.state import Session
from tests.app.arrival import computed
from tests.app.replay.test_parcel import series_of


class Told:
    """A lead of a session that stands still, the clock it goes by, and how often it has called."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.calls = 100.0, 0
        monkeypatch.setattr(leading.time, "monotonic", lambda: self.now)
        self.session = Session("planar_chain")
        computed(self.session.run)
        self.session.playing = False
        self.lecture = Lecture(self.session)
        self.lead = Lead(self.session, self.count, self.lecture)

    def count(self) -> None:
        self.calls += 1

    def changed(self) -> dict[str, object]:
        before, self._before = getattr(self, "_before", {}), self.lead.state()
        return {name: value for name, value in self._before.items() if before.get(name, self) != value}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Iterator[Told]:
    found = Told(monkeypatch)
    found.changed()
    yield found
    found.lead.stop()


def test_what_changes_is_sent_alone(told: Told) -> None:
    told.session.seek(1.234567)
    changed = told.changed()
    assert (changed.pop("time"), list(changed)) == (1.2346, ["jump"])
    told.session.seek(1.234567)
    assert told.changed() == {}
    told.session.cursor.param.update(stage="smoother", link=1, half=1)
    assert told.changed() == {"step": ["smoother", 1, 1]}
    told.session.layers = ["articulated_inertia"]
    assert told.changed() == {"layers": ["articulated_inertia"]}
    moment, before = told.lecture.keep(), told.calls
    told.lecture.change(moment.number, title="Look", note="Ask first.")
    assert told.calls > before
    assert told.changed() == {"caption": ["1 of 1 · Look", "Ask first."]}
    told.lead.stop()
    before = told.calls
    told.session.seek(1.0)
    assert told.calls == before


def test_while_playing_time_goes_on_without_messages(told: Told) -> None:
    told.session.seek(1.0)
    told.session.param.update(playing=True, speed=0.5)
    told.changed()
    told.now += 2.0
    assert told.changed() == {"time": 2.0}
    told.session.seek(2.1)  # the browser's report, a little ahead
    assert "jump" not in told.changed()
    told.session.seek(3.0)
    assert told.changed().keys() == {"jump", "time"}
    told.now += 16.0  # past the end, at 10 s
    assert told.lead.time == pytest.approx(1.0)
    told.session.seek(0.95)  # of the next round
    assert "jump" not in told.changed()
    told.session.playing = False
    assert told.changed() == {"jump": told.lead.state()["jump"], "time": 0.95, "playing": False}


def test_another_run_and_another_machine_have_other_numbers(told: Told) -> None:
    joint = told.session.system.joint_names[0]
    told.session.set_torque(joint, 1.0)
    assert (told.changed()["run"], told.lead.machine) == (2, 1)
    told.session.block = "rotational"  # the same motion, other pictures
    assert told.changed() == {"run": 3, "jump": told.lead.state()["jump"]}
    told.session.open_preset("puma560")
    assert (told.lead.run, told.lead.machine) == (4, 2)
    told.session.around = "link"
    told.session.cursor.link = 0
    runs = told.lead.run
    told.session.cursor.link = 1
    assert told.lead.run == runs + 1


@pytest.fixture(scope="module")
def session() -> Session:
    found = Session("planar_chain")
    computed(found.run)
    found.seek(1.2)
    return found


def opened(part: Part) -> tuple[dict[str, Any], bytes]:
    whole = gzip.decompress(part.packed)
    length = int.from_bytes(whole[:8], "little")
    return json.loads(whole[8 : 8 + length]), whole[8 + length :]


class NoCurves:
    """They have tests of their own, and take seconds."""

    def __init__(self, session: Session, panels: object = None) -> None: ...

    def draw(self) -> Iterator[None]:
        yield

    def data(self, parcel: Parcel) -> dict[str, Any]:
        return {"tabs": []}


def test_pictures_come_first_and_the_lecturers_moment_next(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.classroom.lecturer_state.Curves", NoCurves)
    parts = RunParts(session)
    steps = parts.make()
    first, held = opened(next(part for part in steps if part is not None))
    assert first["title"] == session.title
    assert "f" in [key["key"] for key in first["keys"]]
    poses = series_of(first["pictures"]["poses"], held)
    assert poses.shape[1] == round(session.run.end / first["interval"]) + 1
    (outline,) = first["walks"]["stretches"]
    assert outline["blank"]
    assert outline["times"] == [0.5 * k for k in range(21)]
    walk, held = opened(next(part for part in steps if part is not None))
    (stretch,) = walk["walks"]["stretches"]
    assert (stretch["times"], stretch["steps"]) == ([1.2], outline["steps"])
    assert held_numbers(stretch, held) == numbers_of(session, 1.2)
    assert not parts.stand(1.2 + 1e-6)
    assert parts.stand(2.3)  # the lecturer has gone on: that comes before anything else
    later = next(part for part in steps if part is not None)
    assert not later.is_lasting
    walk, held = opened(later)
    (stretch,) = walk["walks"]["stretches"]
    assert (stretch["like"], stretch["times"]) == (0, [2.3])
    assert "pages" not in stretch
    assert held_numbers(stretch, held) == numbers_of(session, 2.3)


def held_numbers(stretch: dict[str, Any], held: bytes) -> bytes:
    return np.ascontiguousarray(series_of(stretch["numbers"], held)).tobytes()


def numbers_of(session: Session, time: float) -> bytes:
    walks = Walks(session, np.array([time]))
    list(walks.read())
    return np.stack(walks._stretches[0].columns, axis=1).tobytes()
