"""Building a machine: which robots, how many, where they stand, and what they hold."""

from __future__ import annotations

import html
import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import panel_material_ui as pmui
import param

from app.binding import Binding
from app.controls.number_field import NumberField, NumberRow
from app.motion.build import (
    EDGES,
    FARTHEST,
    HEAVIEST,
    LIGHTEST_THING,
    LONGEST,
    MOST_ARMS,
    OWN,
    THINNEST,
    TITLES,
    Base,
    Build,
    Payload,
)
from app.motion.built_machine import bases_of
from app.state import Session
from app.state.manipulation import BaseAim
from app.views.components import View, text_pane

DEGREE = math.pi / 180.0
ALL = -1  # Stands for all arms
EVERY = {"Every arm": ALL}
NEAR = 2.0  # Range of a base's slider to either side, in m; the number field goes further
STAYS = "The other modes, above, keep a robot file of your own; otherwise they open machines of their own."
HOLDS = {
    "single_arm": f"Bolted down. {STAYS}",
    "multi_arm": "Every hand holds the object rigidly. With <b>Pose</b>, below the picture, you can drag what an arm "
    "stands on over the ground; choose one arm under <b>Of them</b> to give its place in numbers. <b>Single arm</b> "
    "and <b>Free-flying</b>, above, keep the first robot.",
    "free_flyer": f"Floating. {STAYS}",
}
UNSEEN = Build("single_arm", next(iter(TITLES.items()))[:1])
BUSY = "Putting it together …"
SHAPES = {shape: shape.capitalize() for shape in EDGES}
MOST_EDGES = max(map(len, EDGES.values()))


class AssemblyControls(View):
    """Each control requests another machine and shows its choice meanwhile; the choice is reverted if that fails."""

    session: Session = param.ClassSelector(class_=Session)  # type: ignore[assignment]

    def __init__(self, session: Session, **params: object) -> None:
        super().__init__(session=session, **params)
        self._arm = ALL
        self.robot = self._select("Robot", {title: name for name, title in TITLES.items()})
        self.arms = self._select("Arms", {str(count): count for count in range(1, MOST_ARMS + 1)})
        self.arm = self._select("Of them", EVERY)
        self.shape = self._select("Object", {words: shape for shape, words in SHAPES.items()})
        self.mass = self._field("Mass (kg)", self._heard(self._set_mass), LIGHTEST_THING, HEAVIEST)
        self.sizes = [
            self._field(f"Size {k}", self._heard(partial(self._set_size, k)), THINNEST, LONGEST)
            for k in range(MOST_EDGES)
        ]
        self.places = [
            self._place("Base x (m)", "x", 1.0, NEAR, FARTHEST),
            self._place("Base y (m)", "y", 1.0, NEAR, FARTHEST),
            self._place("Turned (°)", "yaw", DEGREE, 180.0, 360.0),
        ]
        self.round = pmui.Button(label="Back round the object", variant="outlined", size="small", margin=(4, 10))
        self._said = text_pane("", (2, 10))
        row = partial(pmui.Row, sizing_mode="stretch_width", margin=0)
        self._where = pmui.Column(*self.places, self.round, sizing_mode="stretch_width", margin=0)
        rows = row(self.shape, self.mass), row(*self.sizes), row(self.arms, self.arm)
        self._holding = pmui.Column(*rows, sizing_mode="stretch_width", margin=0)
        self.view = pmui.Column(self._holding, self.robot, self._where, self._said, sizing_mode="stretch_width",
                                   margin=0)  # fmt: skip
        self._robots = Binding(self.robot, self._shown_robot, self._heard(self._set_robot))
        self._counts = Binding(self.arms, lambda: len(self._build.robots), self._heard(self._set_count))
        self._chosen = Binding(self.arm, lambda: self._arm, self._choose)
        self._shapes = Binding(self.shape, lambda: self._build.payload.shape, self._heard(self._set_shape))
        self.round.on_click(self._heard(lambda _: self._ask(replace(self._build, bases=None))))
        session.opening.param.watch(lambda _: self._follow(), "awaited")
        session.param.watch(self._see_led, "aim")
        self._follow()

    def _select(self, label: str, options: Mapping[str, object]) -> pmui.Select:
        first = next(iter(options.values()))
        return pmui.Select(
            label=label, options=dict(options), value=first, size="small", sizing_mode="stretch_width", margin=(8, 10)
        )

    def _field(self, name: str, act: Callable[[float], None], least: float, most: float) -> NumberField:
        return NumberField(
            self.session, name, act, least=least, most=most, has_label=True, margin=(8, 10), written="{:z.4g}",
            variant="outlined",
        )  # fmt: skip

    def _place(self, name: str, of: str, unit: float, span: float, most: float) -> NumberRow:
        act = self._heard(partial(self._set_base, of, unit))
        step = span / 100.0
        return NumberRow(self.session, name, -span, span, step, act, least=-most, most=most, written="{:z.4g}")

    def _heard(self, act: Callable[[Any], None]) -> Callable[[Any], None]:
        """Ignores input from hidden controls of a machine that is not built here, whatever a browser sends."""
        return lambda value: act(value) if self.session.build is not None else None

    @property
    def _build(self) -> Build:
        """The requested build; a placeholder, never shown or requested, for a machine that is not built here."""
        return self.session.build or UNSEEN

    @property
    def _payload(self) -> Payload:
        asked, built = self._build.payload, self.session.setup.machine.built
        known = built.payload if built is not None else None
        if asked.size and asked.mass is not None:
            return asked
        if known is None or known.shape != asked.shape:
            return asked
        return Payload(asked.shape, asked.size or known.size, known.mass if asked.mass is None else asked.mass)

    @property
    def _bases(self) -> tuple[Base, ...] | None:
        """The bases of the arms: as requested, else as they were placed; None while unknown."""
        if self._build.bases is not None:
            return self._build.bases
        known = bases_of(self.session.setup.machine)
        return known if len(known) == len(self._build.robots) else None

    @param.depends("session.run", "session.message", watch=True)
    def _follow(self) -> None:
        build = self.session.build
        self.view.visible = build is not None
        if build is None:
            return
        file = self.session.setup.machine.file
        holds, count = build.kind == "multi_arm", len(build.robots)
        self._arm = self._arm if holds and self._arm < count else ALL
        options = {title: name for name, title in TITLES.items()} | ({} if file is None else {file.name: OWN})
        self._robots.follow(options=options | ({"Not all alike": ""} if self._shown_robot() == "" else {}))
        self._holding.visible, self._where.visible = holds, holds and self._one is not None
        if holds:
            self._counts.follow()
            self._shapes.follow()
            self._chosen.follow(options=EVERY | {f"Arm {k + 1}": k for k in range(count)})
            self._show_thing()
            self._show_base()
        self._said.object = self._words(build)

    @property
    def _one(self) -> int | None:
        """The chosen arm, or the only one; None when several are addressed together."""
        return 0 if len(self._build.robots) == 1 else None if self._arm == ALL else self._arm

    def _shown_robot(self) -> str:
        robots, one = self._build.robots, self._one
        return robots[one] if one is not None else robots[0] if len(set(robots)) == 1 else ""

    def _show_thing(self) -> None:
        payload = self._payload
        self.mass.show(payload.mass or 0.0)
        names = EDGES[payload.shape]
        for k, field in enumerate(self.sizes):
            field.widget.visible = k < len(names)
            if k < len(names):
                field.rename(f"{names[k]} (m)")
                field.show(payload.size[k] if payload.size else 0.0)

    def _show_base(self) -> None:
        bases, one = self._bases, self._one
        if one is None or bases is None:
            return
        base = bases[one]
        for field, value in zip(self.places, (base.x, base.y, base.yaw / DEGREE), strict=True):
            field.show(round(value, 6))
        self.round.disabled = self._build.bases is None

    def _words(self, build: Build) -> str:
        if self.session.opening.awaited is not None:
            return f"<p role='status'>{BUSY}</p>"
        built = self.session.setup.machine.built
        own = f"<p>{html.escape(built.words)}</p>" if built is not None and built.words else ""
        return f"<p>{HOLDS[build.kind]}</p>{own}"

    def _ask(self, build: Build) -> None:
        if build != self._build:
            self.session.put_together(build)

    def _see_led(self, event: param.parameterized.Event) -> None:
        """Chooses the arm whose base is dragged in the picture."""
        if isinstance(event.new, BaseAim) and event.new.arm != self._arm:
            self._choose(event.new.arm)

    def _choose(self, arm: int) -> None:
        self._arm = arm
        self._follow()

    def _set_robot(self, name: str) -> None:
        build = self._build
        if not name:
            return
        if self._arm != ALL:
            self._ask(build.with_robot(self._arm, name))
        else:
            self._ask(
                replace(build, robots=(name,) * len(build.robots), payload=Payload(build.payload.shape), bases=None)
            )

    def _set_count(self, count: int) -> None:
        self._ask(self._build.with_arms(count))

    def _set_shape(self, shape: str) -> None:
        self._ask(replace(self._build, payload=Payload(shape), bases=None))

    def _set_mass(self, mass: float) -> None:
        self._ask(replace(self._build, payload=replace(self._payload, mass=mass)))

    def _set_size(self, at: int, value: float) -> None:
        size = self._payload.size
        if size:
            self._ask(replace(self._build, payload=replace(self._payload, size=(*size[:at], value, *size[at + 1 :]))))

    def _set_base(self, name: str, unit: float, value: float) -> None:
        bases, one = self._bases, self._one
        if bases is not None and one is not None:
            base = replace(bases[one], **{name: unit * value})
            self._ask(replace(self._build, bases=(*bases[:one], base, *bases[one + 1 :])))
