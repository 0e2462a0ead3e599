"""The parts of a run that followers fetch: the pictures first, then what the lecturer asks for, in double precision."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from app.present.handout import Handout, Part
from app.replay.parcel import Parcel
from app.replay.walks import Walks
from app.state import Session
from tests.app.replay.test_parcel import series_of

pytestmark = pytest.mark.compiled_only


@pytest.fixture(scope="module")
def session() -> Session:
    found = Session("planar_chain")
    while not found.run.complete:
        found.run.accept(found.run.compute())
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


@pytest.mark.slow
def test_pictures_come_first_and_the_lecturers_moment_next(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.present.handout.Curves", NoCurves)
    handout = Handout(session)
    steps = handout.make()
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
    assert stretch["times"] == [1.2]
    assert stretch["steps"] == outline["steps"]
    assert held_numbers(stretch, held) == numbers_of(session, 1.2)

    assert not handout.ask(1.2 + 1e-6)
    assert handout.ask(2.3)  # the lecturer has gone on: that comes before anything else
    later = next(part for part in steps if part is not None)
    assert not later.is_lasting
    walk, held = opened(later)
    (stretch,) = walk["walks"]["stretches"]
    assert (stretch["like"], stretch["times"]) == (0, [2.3])
    assert "pages" not in stretch
    assert held_numbers(stretch, held) == numbers_of(session, 2.3)

    rest = [opened(part)[0] for part in steps if part is not None]
    assert [list(data) for data in rest] == [["curves"], ["walks"]]
    assert rest[1]["walks"]["stretches"][0]["times"] == outline["times"]
    assert list(handout.make()) == []
    assert handout.ask(0.7)
    assert [list(opened(part)[0]) for part in handout.make() if part is not None] == [["walks"]]


def held_numbers(stretch: dict[str, Any], held: bytes) -> bytes:
    return np.ascontiguousarray(series_of(stretch["numbers"], held)).tobytes()


def numbers_of(session: Session, time: float) -> bytes:
    walks = Walks(session, np.array([time]))
    list(walks.read())
    return np.stack(walks._stretches[0].columns, axis=1).tobytes()


def test_a_run_that_is_not_whole_is_refused() -> None:
    session = Session("planar_chain")
    session.run.accept(session.run.compute())
    with pytest.raises(dyn.StateError, match="not computed to its end"):
        Handout(session)
