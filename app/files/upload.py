"""Opens a user's robot file, shows what is wrong in it with the remedies to accept, and lists the machine's parts."""

from __future__ import annotations

import html
import math
import re
import zlib
from importlib import resources
from itertools import chain, groupby
from pathlib import PurePath
from xml.sax.saxutils import quoteattr

import panel as pn
import panel_material_ui as pmui
import param
from panel.viewable import Viewable, Viewer

import dynamics as dyn
from app.files.kept_files import ARCHIVE_TOO_LARGE, LARGEST_ARCHIVE, FileButton, KeptFiles, take
from app.number_text import number_text
from app.state import Session
from app.views.components import STYLE, Instrument, View
from dynamics.robot_files import Finding

HINT = (
    "A robot description of up to 5 MB, URDF or MuJoCo's MJCF: choose it, or drop it on the button. For a robot with "
    "its meshes (STL, OBJ, PLY, DAE, glTF) choose all files at once, or a zip of the folder, of up to 20 MB: they are "
    "thinned out, without their colors. This browser keeps the last few files for a reload or a link."
)
LABEL = "Open a robot file"
CHOSEN = re.compile(rb'<custom><text name="armsweep:body" data=("[^"]*"|\'[^\']*\')/></custom>')
"""Marks, in a model opened here, the body that is the robot."""
END = b"</mujoco>"
BAD_DATA = "stanford arm as printed.urdf"


def bad_data() -> bytes:
    """An invalid file: the Stanford arm with its numbers as published."""
    return (resources.files("assets") / "robots" / "stanford" / "published.urdf").read_bytes()


def with_robot(text: bytes, body: str) -> bytes:
    """A scene that names the body that is its robot; empty for the default."""
    before, end, after = CHOSEN.sub(b"", text).rpartition(END)
    chosen = f'<custom><text name="armsweep:body" data={quoteattr(body)}/></custom>' if body else ""
    return before + chosen.encode("ascii", "xmlcharrefreplace") + end + after


class Upload(Instrument):
    """A file button; the file is read only as text, so that it can access no other file. The result is reported.

    Args:
        above: placed above it.
    """

    follows = False
    session = param.ClassSelector(class_=Session)

    def __init__(
        self, session: Session, kept: KeptFiles, above: Viewable | Viewer | None = None, **params: object
    ) -> None:
        self._above = () if above is None else (above,)
        # Its own words would only say that a file has arrived; and any dropped file is judged in words.
        self._button = FileButton(
            session.opening.refuse, LARGEST_ARCHIVE, ARCHIVE_TOO_LARGE, multiple=True, label=LABEL,
            uploaded_label=LABEL, icon="upload_file", sizing_mode="stretch_width",
        )  # fmt: skip
        self._word = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 10))
        self._hint = pn.pane.HTML(HINT, stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 10))
        self._example = pmui.Button(
            label="Try bad data: the Stanford arm as printed", variant="text", size="small", margin=(0, 4)
        )
        self._parts = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 10))
        self._review = Review(session)
        self._robot = pmui.Select(label="Robot of this scene", options={}, visible=False, margin=(4, 10))
        self._shown_system: object = None
        self._forget = pmui.Button(
            label="Forget the files kept in this browser", variant="text", size="small", visible=False, margin=(4, 4)
        )
        super().__init__(session=session, **params)
        self._button.hear(lambda data, name: take(session, data, name))
        self._example.on_click(lambda _: take(session, bad_data(), BAD_DATA))
        self._forget.on_click(lambda _: kept.forget())
        self._robot.param.watch(self._choose, "value")
        session.opening.param.watch(self._offer, "kept")
        session.opening.param.watch(self._update, "outcome")
        session.param.watch(self._update, "setup")
        session.param.watch(self._list, "run")
        self._offer()
        self._update()
        self._list()
        self.view = pmui.Column(
            *self._above, self._button, self._word, self._robot, self._review, self._hint, self._example, self._forget,
            self._parts,
            sizing_mode="stretch_both", scroll="y", margin=(8, 4),
        )  # fmt: skip

    def _offer(self, _: object = None) -> None:
        self._forget.visible = bool(self.session.opening.kept)

    def _list(self, _: object = None) -> None:
        if self._shown_system is not (system := self.session.run.actuation.system):
            self._shown_system, self._parts.object = system, parts_html(system)
            self._offer_robots()

    def _offer_robots(self) -> None:
        machine = self.session.setup.machine
        trees = machine.system.robots[0].trees if machine.file is not None else ()
        text = zlib.decompress(machine.source) if trees else b""
        chosen = next((name for name in trees if with_robot(text, name) == text), "")
        options = {"the one with most joints": ""} | {name: name for name in trees} if trees else {}
        self._robot.param.update(options=options, value=chosen, visible=bool(trees))

    def _choose(self, event: param.parameterized.Event) -> None:
        """Opens the same scene with another of its bodies as the robot."""
        session, machine = self.session, self.session.setup.machine
        text = zlib.decompress(machine.source) if machine.file is not None else b""
        if session is None or machine.file is None or event.new is None:
            return
        if (other := with_robot(text, event.new)) != text:
            take(session, other, machine.file.name)

    def _update(self, _: object = None) -> None:
        """Shows the result of the last file, while it applies."""
        words = html.escape(self.session.opening.word)
        self._word.object = f"<span role='status'>{words}</span>" if words else ""


MOST_ROWS = 40  # of one robot; a longer table says how many are left out
UNITS = {"revolute": "N\u00a0m", "prismatic": "N"}

HEAD = (
    "<th scope='col'>link</th><th scope='col'>its joint</th><th scope='col' style='text-align: right'>mass, kg</th>"
    "<th scope='col' style='text-align: right'>largest torque</th>"
)


def parts_html(system: dyn.System) -> str:
    """Every robot with its links from the tip inward, and the object; equal robots are listed once."""
    tables = [_robot(robot, floats) for robot, floats in zip(system.robots, system.floating, strict=True)]
    found = ""
    for (name, table), alike in groupby(tables):
        count = len(list(alike))
        found += f"<h3>{f'{count} × ' if count > 1 else ''}{html.escape(name)}</h3>{table}"
    remarks = dict.fromkeys(remark for robot in system.robots for remark in robot.remarks)
    if remarks:
        rows = "".join(f"<li>{html.escape(remark)}</li>" for remark in remarks)
        found = f"<h3>What was done with its file</h3><ul class='remarks'>{rows}</ul>{found}"
    payload = system.task_object
    if payload is not None:
        found += f"<h3>Object</h3><p>{number_text(payload.mass)}\u00a0kg</p>"
    return found


def _robot(robot: dyn.Robot, floats: bool) -> tuple[str, str]:
    bodies = [*robot.links, *([robot.root] if floats else [])]
    mass = number_text(sum(link.mass for link in bodies))
    where = "floating" if floats else "bolted down"
    count = f"{len(robot.joints)} joint{'s' if len(robot.joints) != 1 else ''}"
    rows = ""
    for link, joint in zip(robot.links[:MOST_ROWS], robot.joints, strict=False):
        effort = f"{number_text(joint.effort)}\u00a0{UNITS[joint.kind]}" if math.isfinite(joint.effort) else "–"
        rows += (
            f"<tr><td class='name'>{html.escape(link.name)}</td>"
            f"<td class='name'>{html.escape(joint.name)}, {joint.kind}</td>"
            f"<td class='number'>{number_text(link.mass)}</td><td class='number'>{effort}</td></tr>"
        )
    more = len(robot.links) - MOST_ROWS
    if more > 0:
        rows += f"<tr><td colspan='4'>and {more} more</td></tr>"
    elif floats:
        weight = f"<td class='number'>{number_text(robot.root.mass)}</td>"
        rows += f"<tr><td class='name'>{html.escape(robot.root.name)}</td><td>floats</td>{weight}<td></td></tr>"
    table = f"<table class='numbers'><tr>{HEAD}</tr>{rows}</table>"
    return robot.title or robot.name, f"<p>{count}, {mass}\u00a0kg, {where}.</p>{table}"


MOST_FINDINGS, MOST_CHANGES = 20, 4
"""Most findings of a weight, and lines of numbers of one; longer ones say how many are left out."""
WEIGHTS = {"wrong": "Wrong: no robot can be like this", "doubtful": "Doubtful: changed only if you tick it"}


class Review(View):
    """The findings on the last file, with a tick box for each remedy, and a button that opens the corrected robot.

    Errors that prevent the file from opening are ticked initially; a robot that moves is changed only by what its
    user ticks.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(self, session: Session, **params: object) -> None:
        self._list = pn.pane.HTML("", stylesheets=[STYLE], sizing_mode="stretch_width", margin=(4, 10))
        self._ticks = {
            weight: pmui.CheckBoxGroup(label=words, visible=False, sizing_mode="stretch_width", margin=(4, 10))
            for weight, words in WEIGHTS.items()
        }
        self._mend = pmui.Button(
            label="Open it mended", variant="outlined", icon="build", visible=False, sizing_mode="stretch_width",
            margin=(4, 10),
        )  # fmt: skip
        super().__init__(session=session, **params)
        self._mend.on_click(self._open)
        for ticks in self._ticks.values():
            ticks.param.watch(self._allow, "value")
        session.opening.param.watch(self._update, "review")
        session.param.watch(self._update, "setup")
        self._update()
        self.view = pmui.Column(self._list, *self._ticks.values(), self._mend, sizing_mode="stretch_width", margin=0)

    @property
    def _review(self) -> dyn.RobotReport | None:
        """The review, while the page shows the result of that file."""
        return self.session.opening.review if self.session.opening.word else None

    @property
    def _accepted(self) -> list[int]:
        return sorted(chain.from_iterable(ticks.value for ticks in self._ticks.values()))

    def _update(self, _: object = None) -> None:
        review = self._review
        self._list.object = "" if review is None else findings_html(review)
        for weight, ticks in self._ticks.items():
            options = {} if review is None else _mendable(review, weight)
            is_needed = weight == "wrong" and review is not None and review.robot is None
            chosen = list(options.values()) if is_needed else []
            ticks.param.update(options=options, value=chosen, visible=bool(options))
        self._mend.visible = any(ticks.options for ticks in self._ticks.values())
        self._allow()

    def _allow(self, _: object = None) -> None:
        self._mend.disabled = not self._accepted

    def _open(self, _: object) -> None:
        review, session, accepted = self._review, self.session, self._accepted
        if review is not None and session is not None and accepted:
            name = PurePath(review.name)
            take(session, review.repaired_text(accepted).encode(), f"{name.stem} mended{name.suffix}")


def _mendable(review: dyn.RobotReport, weight: str) -> dict[str, int]:
    """Findings with a remedy, in words with their numbers before and after, and their indices."""
    found = {k: one for k, one in enumerate(review.findings) if one.edits and one.weight == weight}
    return {f"{one.text} {_numbers(one)}".strip(): k for k, one in list(found.items())[:MOST_FINDINGS]}


def _numbers(finding: Finding) -> str:
    more = len(finding.changes) - MOST_CHANGES
    rest = [f"and {more} more"] if more > 0 else []
    return f"({'; '.join([*finding.changes[:MOST_CHANGES], *rest])})" if finding.changes else ""


def findings_html(review: dyn.RobotReport) -> str:
    """Every finding without a tick box, with its weight, line and remedy; empty if there are no findings."""
    ticked = {k for weight in WEIGHTS for k in _mendable(review, weight).values()}
    others = [one for k, one in enumerate(review.findings) if k not in ticked and one.kind != "left out"]
    if not ticked and not others:  # omitted parts are listed with the machine's parts
        return ""
    rows = "".join(
        f"<li><b>{one.weight.capitalize()}</b>: {html.escape(one.text)}</li>" for one in others[:MOST_FINDINGS]
    )
    more = len(others) - MOST_FINDINGS
    rows += f"<li>and {more} more</li>" if more > 0 else ""
    return f"<h3>In this file</h3><ul class='remarks'>{rows}</ul>"
