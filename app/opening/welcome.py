"""The first-minute card: when it opens, how it changes the page, and when it closes; it can be opened any time."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import panel as pn
import param
from panel.io.document import unlocked

from app.component import Component
from app.equations.sheet_style import css
from app.motion.errors import ERRORS
from app.motion.presets import FALLS, PRESETS
from app.motion.run import Run
from app.motion.setup import Setup, common_run, machine_of_preset
from app.number_text import beside_numbers, raw_text, read_index
from app.opening.fall import WINDOW, Fall, in_plain_words
from app.state import Session
from app.state.walk import Place
from app.views.components import View
from app.views.student_curve import PAD, PAD_LOOK, Array, read_drawn
from scenes import palette


class WelcomeCard(Component):
    """``data-go`` marks what can be clicked; *Let go* sends the drawing.

    Args:
        go: called with what was clicked.
        let_go: called with the drawing, which may be anything.
    """

    html = param.String(default="", doc="Its HTML; names in it are escaped.")
    css = param.String(default="")
    state = param.String(default="", doc="How far the challenge has come; with another the card begins at its top.")
    called = param.Boolean(default=False, doc="Whether somebody has asked for it, and the focus goes there.")

    _esm = beside_numbers(PAD, Path(__file__).with_name("card.js"))

    def __init__(self, go: Callable[[str], None], let_go: Callable[[object], None], **params: object) -> None:
        super().__init__(sizing_mode="stretch_width", margin=0, **params)
        self._go, self._let_go = go, let_go

    def _handle_msg(self, data: object) -> None:
        if isinstance(data, str) and len(data) < 20:
            self._go(data)
        elif isinstance(data, dict) and "drawn" in data:
            self._let_go(data["drawn"])


KEY = "first"  # Name in an address: ``first=1`` opens the card
PLAIN = {KEY, "theme"}  # arguments of an address that request no particular view
OFF = "free"  # the drive without motors
LOOK = "".join(file.read_text(encoding="utf-8") for file in (PAD_LOOK, Path(__file__).with_name("card.css")))
WATCHED = "tab", "beside", "lesson", "projector", "walked"
"""Session parameters that change when the user goes on to something else."""
COMES = "A card for the first minute has come: what this page is, and a question. Escape closes it."


class Welcome(View):
    """Empty until it is shown, so that it costs returning visitors nothing.

    Args:
        query: of the page's address.
        lead: opens an instrument by its name.
        walk, lessons, papers: names of these instruments.
    """

    session = param.ClassSelector(class_=Session)

    def __init__(
        self,
        session: Session,
        query: Mapping[str, str],
        lead: Callable[[str], None],
        walk: str,
        lessons: str,
        papers: str,
        **params: object,
    ) -> None:
        self._is_plain = not query.keys() - PLAIN
        self._is_asked, self._is_due = query.get(KEY) == "1", False
        self._machine = machine_of_preset(PRESETS[FALLS])
        self._lead, self._walk = lead, walk
        self._ways = {"lessons": lessons, "papers": papers}
        self._theme: palette.Theme = "light"
        self.view = self._place = pn.Column(css_classes=["welcome"], margin=0)
        self._card: WelcomeCard | None = None
        self._seen: tuple[object, ...] = ()
        self._home: Callable[[], None] | None = None
        self._layers: list[str] = []
        self._joint, self._link = 0, 0
        self._drawn: Array | None = None
        self._falls: tuple[Setup, Run, Fall] | None = None
        self._job = session.jobs.new("this arm cannot be let go", expected=ERRORS)
        super().__init__(session=session, **params)

    @property
    def is_open(self) -> bool:
        return self._card is not None

    def begin(self) -> None:
        """Opens the card once the page has loaded, for any visitor, if the address requests it."""
        if self._is_asked:
            self.show()

    def arrive(self, is_new: bool) -> None:
        """The browser reports a first visit, or that the card was open when the page was reloaded."""
        if not is_new:
            self._home = self._as_loaded
        if self._is_plain or not is_new:
            self.show()

    def call(self) -> None:
        if self.is_open:
            self.close()
        else:
            self.show(called=True)

    def show(self, called: bool = False) -> None:
        """Opens the card once the page shows what was requested, unless it is open or projector mode is on."""
        self._is_due = False
        if self.is_open or self.session.projector:
            return
        if self.session.opening.awaits_link:
            self._is_due = True
            return
        self._card = WelcomeCard(self._go, self._let_go, css=css(self._theme) + LOOK, called=called)
        self._seen = self._now
        self._write("greeting", greeting(self._machine.system.joint_names))
        with unlocked():
            self._place.append(self._card)
            self._place.css_classes = ["welcome", "there"]
        self.session.whispered = COMES

    @property
    def _now(self) -> tuple[object, ...]:
        session = self.session
        return (session.setup, *(getattr(session, name) for name in WATCHED))

    def draw(self) -> None:
        """Follows the selected link and the progress of the fall; closes when the user goes on to something else."""
        if self._is_due:
            self.show()
        if not self.is_open:
            return
        session = self.session
        if self._now != self._seen:
            self.close({name: getattr(session, name) for name in WATCHED}, session.setup is self._seen[0])
            return
        state = self._card.state  # type: ignore[union-attr]
        if state == "held" and session.cursor.link != self._link:
            self._link = session.cursor.link
            if self._link < session.system.n_joints:
                self._joint = self._link
                self._ask()
        elif state == "falling" and self._falls is not None and session.time >= float(self._falls[2].times[-1]):
            self._write_outcome()

    def paint(self, theme: palette.Theme) -> None:
        self._theme = theme
        if self._card is not None:
            self._card.css = css(theme) + LOOK

    def _go(self, what: str) -> None:
        """Handles a click; ignores anything else."""
        if not self.is_open:
            return
        kind, _, which = what.partition(" ")
        joint = read_index(which)
        if kind == "joint" and joint is not None:
            self._choose(joint)
        elif what == "step" and self._falls is not None:  # at the instant of release, where the gain acts
            furthest = self._falls[2].furthest
            self.close(goes_back=False)
            self.session.to_start()
            self.session.walk_to(Place("filter", 0, furthest, 1))
            self._lead(self._walk)
        elif what in self._ways:
            self.close()
            self._lead(self._ways[what])
        elif what in ("close", "play"):
            self.close()
            self.session.playing = self.session.playing or what == "play"

    def _choose(self, joint: int) -> None:
        """Chooses the joint to draw; the first choice starts the challenge, with the arm held at its start."""
        state = self._card.state  # type: ignore[union-attr]
        if joint >= self._machine.system.n_joints or state not in ("greeting", "held"):
            return
        if state == "greeting":
            self._hold()
        self._joint = self._link = joint
        self.session.select_link(joint)
        self._ask()

    def _hold(self) -> None:
        """Holds the arm; the fall is computed in the background, and none of it is visible yet."""
        session, machine = self.session, self._machine
        self._home = self._home or session.way_back()
        self._layers = list(session.layers) or list(session.param.layers.default)
        still = {"playing": False, "layers": []}
        if session.setup == Setup(machine):
            session.to_start()
            session.param.update(**still)
        else:
            history = session.history.left(session.choice)
            session.show(Setup(machine), {}, {**still, "history": history})
        self._seen = self._now
        self._falls = None

        def fall() -> tuple[Setup, Run, Fall]:
            setup = Setup(machine, drive=OFF)
            run = common_run(setup)
            return setup, run, Fall.of(run)

        def take(falls: tuple[Setup, Run, Fall]) -> None:
            if self.is_open and self._card.state == "held":  # type: ignore[union-attr]
                self._falls = falls
                self._ask()

        self._card.param.update(state="held")  # type: ignore[union-attr]
        self._job.start(fall, take)
        session.whispered = "The arm is held at its start."

    def _as_loaded(self) -> None:
        """Restores the state to which a reloaded page returns."""
        session = self.session
        session.show(session.setup.plain(), {}, {"playing": True, "layers": session.param.layers.default})

    def _ask(self) -> None:
        reach = 0.0 if self._falls is None else self._falls[2].reach
        self._write("held", challenge(self.session.system.joint_names, self._joint, reach))

    def _let_go(self, drawn: object) -> None:
        """Lets the arm fall from its start; the drawing is judged afterwards."""
        if not self.is_open or self._card.state != "held" or self._falls is None:  # type: ignore[union-attr]
            return
        session, (setup, run, found) = self.session, self._falls
        self._drawn = read_drawn(drawn)
        history = session.history.left(session.choice)
        session.show(setup, {"link": self._joint}, {"playing": True, "layers": [], "history": history}, run)
        self._seen = self._now
        self._write("falling", falling(session.system.joint_names[self._joint], found.reach))
        session.whispered = "It falls."

    def _write_outcome(self) -> None:
        assert self._falls is not None
        found, joint = self._falls[2], self._joint
        words = "" if self._drawn is None else found.apart(self._drawn, joint)
        verdict, why = found.verdict(joint), found.why(joint)
        truth = list(map(float, found.angles[:, joint]))
        name = found.first.system.joint_names[joint]
        best = found.name(found.furthest)
        self._write("told", outcome(name, found.reach, truth, verdict, words, why, best))
        self.session.whispered = f"{verdict} {words}".strip()

    def _write(self, state: str, shown: str) -> None:
        with unlocked():  # browser events arrive without the document's lock
            self._card.param.update(state=state, html=shown)  # type: ignore[union-attr]

    def close(self, kept: Mapping[str, Any] | None = None, goes_back: bool = True) -> None:
        """Closes; the page returns to its state before the challenge, unless another run is shown by now.

        Args:
            kept: values of the session that the user has chosen meanwhile.
            goes_back: whether the run is still the challenge's own.
        """
        home, self._home = self._home, None
        self._card = self._falls = self._drawn = None
        self._job.cancel()
        if home is not None and goes_back:
            home()
        elif home is not None and not self.session.layers:
            self.session.layers = self._layers
        with unlocked():
            self._place.clear()
            self._place.css_classes = ["welcome"]
        if kept:
            self.session.param.update(**kept)


TITLE = "A Kalman filter moves this robot"
WHAT = (
    "It is the method by which phones and aircraft work out where they are. "
    "Here the same method works out, live, how a robot arm moves."
)
ASK = "Cut the motors: <b>which joint will swing furthest?</b>"
FOUND = "The Kalman filter finds both numbers, joint by joint."
WAYS = (("lessons", "Lessons"), ("papers", "Papers"), ("play", "Just play"))
CLOSE = (
    "<button type='button' class='close' data-go='close' aria-label='Close this card' title='Close (Esc)'>×</button>"
)


def greeting(joints: Sequence[str]) -> str:
    """What the page is, and what to do.

    Args:
        joints: in the order of the machine's links, the tip's first.
    """
    return _card(
        TITLE,
        f"<p>{WHAT}</p><p class='ask'>{ASK}</p>{_joints(joints, -1)}"
        "<p class='note'>Choose one: the arm hangs from a ceiling, you draw your guess and let go.</p>",
        "or",
    )


def challenge(joints: Sequence[str], chosen: int, reach: float) -> str:
    """The choice of a joint, also by pointing at the arm, and a plot to draw into.

    Args:
        reach: degrees; 0.0 while unknown.
    """
    name = html.escape(in_plain_words(joints[chosen]))
    pad = _pad(f"How far {name} will swing", reach) if reach else "<p class='note'>One moment…</p>"
    return _card(
        f"Draw how far {name} will swing",
        f"{_joints(joints, chosen)}<p class='note'>Or point at the arm. Degrees from here, over {WINDOW:g} s:</p>{pad}"
        f"<p class='tools'><button type='button' class='main' data-go='letgo'{'' if reach else ' disabled'}>"
        "Let go</button></p>",
        "",
    )


def falling(joint: str, reach: float) -> str:
    """Shown during the fall; the drawing stays."""
    name = in_plain_words(joint)
    return _card("It falls…", f"<div inert>{_pad(f'How far {name} will swing', reach)}</div>", "")


def outcome(joint: str, reach: float, truth: Sequence[float], verdict: str, drawn: str, why: str, best: str) -> str:
    """The drawing beside the true curve, and the explanation."""
    title, _, rest = verdict.partition(". ")
    step = f"<button type='button' class='main' data-go='step'>See where {html.escape(best)}’s gain acts</button>"
    summary = " ".join(filter(None, (rest, drawn)))
    return _card(
        title.rstrip("."),
        f"<div inert>{_pad(f'How far {in_plain_words(joint)} swings', reach, truth)}</div>"
        f"<p>{html.escape(why)} <span class='note'>{FOUND}</span></p>"
        f"<p class='told'>{html.escape(summary)}</p><p class='tools'>{step}</p>",
        "or go on with",
    )


def _card(title: str, body: str, ways: str) -> str:
    foot = ""
    if ways:
        buttons = "".join(f"<button type='button' data-go='{go}'>{name}</button>" for go, name in WAYS)
        foot = f"<p class='ways'><span>{ways}</span>{buttons}</p>"
    return f"{CLOSE}<h3 tabindex='-1'>{html.escape(title)}</h3>{body}{foot}"


def _joints(joints: Sequence[str], chosen: int) -> str:
    ends = {0: " (tip)", len(joints) - 1: " (base)"}
    buttons = (
        f"<button type='button' data-go='joint {k}' aria-pressed='{str(k == chosen).lower()}'>"
        f"{html.escape(in_plain_words(joints[k]))}{ends.get(k, '')}</button>"
        for k in reversed(range(len(joints)))
    )
    return f"<div class='joints' role='group' aria-label='Joints'>{''.join(buttons)}</div>"


def _pad(label: str, reach: float, truth: Sequence[float] = ()) -> str:
    true = f" data-true='{' '.join(raw_text(value).replace('−', '-') for value in truth)}'" if truth else ""
    return (
        f"<div class='pad' data-label='{html.escape(label, quote=True)}' data-least='0' data-most='{reach:g}' "
        f"data-until='{WINDOW:g}' data-unit='°'{true}></div>"
    )
