"""Where a lesson's addresses lead is known before anybody follows them: no motion is computed for that."""

from __future__ import annotations

import math
import time
from pathlib import Path

import pytest

from app.lessons.__main__ import main
from app.lessons.folder import packaged
from app.lessons.leading import INSTRUMENTS, MOST_TOLD, PARTS, Leading
from app.lessons.lesson import Lesson, addresses_of
from app.lessons.own_lesson import read_whole
from app.lessons.reading import read
from app.motion.run import Run
from app.page import assembled
from app.screen import Instruments
from app.state import Session
from app.state.address import query_of
from tests.app.lessons.conftest import HEAD, NUMBER, SHOW, step_text
from tests.app.lessons.test_packed import packed
from tests.conftest import run_apart


@pytest.fixture
def no_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    def compute(_: Run) -> None:
        raise AssertionError("a motion is computed")

    monkeypatch.setattr(Run, "compute", compute)


def told(session: Session, show: str) -> list[str]:
    found = read("a_test", {"lesson.toml": HEAD, "01_a.md": step_text(show=f'show = "?{show}"\n')})
    assert not found.faults
    return list(map(str, Leading().dead_ends(found.addresses, session)))


@pytest.mark.parametrize(
    ("show", "words"),
    [
        ("preset=puma650&t=0", "there is no preset 'puma650'."),
        ("preset=puma560&t=1000", "t is '1000'"),
        ("preset=puma560&link=9", "link is '9'"),
        ("preset=puma560&posture=0,0", "posture has not the 6 numbers"),
        ("preset=puma560&tab=Brake+it", "there is no instrument 'Brake it'. Did you mean Break it?"),
        ("preset=puma560&beside=Chekc", "Did you mean Check?"),
        ("preset=puma560&layers=push,articulated_inertias", "Did you mean articulated_inertia?"),
        ("preset=puma560&plots=Motoin", "there is no set of plots 'Motoin'. Did you mean Motion?"),
        ("preset=puma560&stage=filtr", "Did you mean filter?"),
        ("preset=puma560&block=translation", "Did you mean translational?"),
        ("preset=puma560&mas=2", "there is no part of an address 'mas'. Did you mean mass?"),
        ("preset=puma560&breaks=nonsense", "the page cannot show this"),
        ("preset=file&file=0&name=x", "open the file in Model"),
    ],
)
@pytest.mark.usefixtures("no_motion")
def test_an_address_that_leads_nowhere_is_told_with_its_line(session: Session, show: str, words: str) -> None:
    (said,) = told(session, show)
    assert said.startswith("01_a.md:3: ")
    assert words in said


def test_what_a_page_writes_is_known(session: Session) -> None:
    everything = Session("planar_chain")
    everything.param.update(
        tab="Check", beside="Walk", walked=True, endless=True, torqued=1, layers=["push"], motion=0.1,
        line="filter/gain/1",
    )  # fmt: skip
    assert set(query_of(everything)) <= set(PARTS)
    everything.jobs.stop()
    assert told(session, "preset=puma560&t=0.000&camera=1,2&theme=dark") == []


def test_the_names_of_the_rail_are_the_page_s() -> None:
    async def whole() -> None:
        made = assembled({})
        instruments = next(one for one in made.clock._every_third if isinstance(one, Instruments))
        assert list(instruments._offers) == list(INSTRUMENTS)
        made.session.jobs.stop()

    run_apart(whole())


@pytest.mark.parametrize("lesson", packaged(), ids=lambda each: each.name)
@pytest.mark.usefixtures("no_motion")
def test_every_packaged_lesson_leads_somewhere(lesson: Lesson, session: Session) -> None:
    for step in lesson.steps:
        addresses = addresses_of(step.file, step.show, step.then, step.places)
        assert Leading().dead_ends(addresses, session, math.inf) == []


@pytest.mark.usefixtures("no_motion")
def test_a_zip_is_told_all_that_is_wrong_in_it_at_once(session: Session) -> None:
    wrong = NUMBER.replace("joint_inertia(1)", "28,45").replace('"5 %"', "true")
    files = {
        "lesson.toml": HEAD.replace("minutes = 5", 'minutes = "5"'),
        "01_a.md": step_text(wrong, show='show = "?preset=puma650&t=0"\n'),
        "02_b.md": step_text(show='show = "?preset=puma560&t=0"\nthen = "?preset=puma560&t=0&tab=Walks"\n'),
    }
    lesson, faults = read_whole(packed(files), "mine.zip", session)
    assert lesson is None
    assert [(fault.file, fault.line) for fault in faults] == [
        ("lesson.toml", 3), ("01_a.md", 7), ("01_a.md", 9), ("01_a.md", 3), ("02_b.md", 4),
    ]  # fmt: skip
    lesson, faults = read_whole(packed(files | {"lesson.toml": HEAD, "01_a.md": step_text()}), "mine.zip", session)
    assert lesson is None
    assert [fault.said for fault in faults] == ["the page cannot show this: there is no instrument 'Walks'."]
    lesson, faults = read_whole(packed({"lesson.toml": HEAD, "01_a.md": step_text()}), "mine.zip", session)
    assert lesson is not None
    assert faults == []


def test_the_command_tells_the_same_and_each_but_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lesson.toml").write_text(HEAD)
    (tmp_path / "01_a.md").write_text(
        step_text(NUMBER.replace("joint_inertia(1)", "28,45"), show='show = "?preset=puma650&t=0"\n')
    )
    (tmp_path / "02_b.md").write_text(step_text(show='show = "?preset=puma560&t=1000"\n'))
    (tmp_path / "03_c.md").write_text(step_text(show=SHOW.replace("&play=0", "&tab=Walks")))
    assert main(["check", str(tmp_path)]) == 1
    lines = [line.split("/")[-1] for line in capsys.readouterr().out.splitlines()]
    assert [line.partition(": ")[0] for line in lines if "folder is called" not in line] == [
        "01_a.md:3", "01_a.md:7", "02_b.md:3", "03_c.md:3",
    ]  # fmt: skip


def test_what_was_asked_is_kept_within_bounds_and_time(session: Session) -> None:
    leading = Leading(most=2)
    found = [
        each
        for k in range(5)
        for each in addresses_of("a", {"preset": f"none{k}"}, {"preset": f"none{k}"}, {"show": 1, "then": 2})
    ]
    assert len(leading.dead_ends(found, session)) == 5
    assert len(leading._kept) == 2
    assert len(leading.dead_ends(found[-2:], session, seconds=-1.0)) == 2  # known already
    assert leading.dead_ends(found[:1], session, seconds=-1.0) == []


def test_what_is_sent_to_take_long_is_told_soon(session: Session) -> None:
    many = ",".join(f"layer{k}" for k in range(400))
    text = step_text(text="{{ " + "x" * 200 + " }}\n" * 140, show=f'show = "?preset=puma560&layers={many}"\n')
    files = {"lesson.toml": HEAD, **{f"{k:02d}_a.md": text for k in range(30)}}
    begun = time.monotonic()
    _, faults = read_whole(packed(files), "mine.zip", session)
    assert time.monotonic() - begun < 10.0
    assert len(faults) == 30 * (2 + MOST_TOLD)  # its layers, its expression, and braces that nothing opens
