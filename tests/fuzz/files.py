"""Robot files that nobody has written: a packaged one with parts lost, doubled, misspelt, moved or made absurd."""

from __future__ import annotations

import warnings
from importlib import resources
from pathlib import Path

from hypothesis import strategies as st

import dynamics as dyn
from tests.fuzz.attack import Attack

ROBOTS = Path(str(resources.files("assets"))) / "robots"
NAMED = (dyn.ModelError,)
SCRAPS = ("", '"', "<", ">", "/", "nan", "1e400", "1e308", "-1", "0", "link", "fixed", "\0", "é", "&amp;", "&x;",
          "<!--", "1_0", "١", "0x10", "\ud800", "<mass/>", "INF", "inf", "xmlns:x='http://www.ros.org/x'")  # fmt: skip


@st.composite
def garbled(draw: st.DrawFn) -> str:
    """A packaged robot's text with up to three places changed."""
    name = draw(st.sampled_from(("planar_chain", "puma560", "iiwa14")))
    text = (ROBOTS / name / "robot.urdf").read_text(encoding="utf-8")
    for _ in range(draw(st.integers(1, 3))):
        place, length = draw(st.integers(0, len(text))), draw(st.sampled_from((0, 1, 5, 40)))
        text = text[:place] + draw(st.sampled_from(SCRAPS)) + text[place + length :]
    return text


def loads_or_is_refused(text: str) -> None:
    """Nothing but a robot that moves, or a ``ModelError``."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            system = dyn.single_arm(dyn.load_urdf_text(text))
            dyn.forward_dynamics(system, system.state())
        except NAMED:
            return


ATTACKS = {"garbled robot files": Attack(garbled(), loads_or_is_refused)}
