"""What is open beside the world, as a link gives it: the instrument, the plots, the line chosen for breaking.

Only the views know which instruments and quantities exist. What is read here is bounded and harmless; a view takes
what it has and writes back here what it took.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self

from app.number_text import read_number
from app.state.machine_loader import RefusedError

if TYPE_CHECKING:
    from app.state.session import Session


LONGEST_TEXT = 400  # Characters of a line: as many as the field takes, more than are ever evaluated
LONGEST_TYPED = 6000  # Characters of all lines together; the longest sweep, fully written, has a tenth of that
KEY = r"[a-z_]{1,40}(?:\.[A-Za-z0-9_]{1,40}){1,3}"
# A lone surrogate cannot be sent to a browser.
TEXT = rf"[^\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]{{1,{LONGEST_TEXT}}}"
ONE_LINE = re.compile(f"{KEY}={TEXT}")
TYPED_FORM = re.compile(rf"(?=(?s:.){{1,{LONGEST_TYPED}}}\Z){KEY}={TEXT}(?:\n{KEY}={TEXT})*")


def typed_text(lines: Iterable[tuple[str, str]]) -> str:
    """Lines as a link gives them; a line that cannot be encoded or has no room left is omitted."""
    found = ""
    for key, text in lines:
        one = f"{key}={text}"
        if ONE_LINE.fullmatch(one) and len(found) + 1 + len(one) <= LONGEST_TYPED:
            found += f"\n{one}" if found else one
    return found


def read_typed(text: str) -> dict[str, str]:
    """The lines in a link's text of that form."""
    return dict(line.split("=", 1) for line in text.split("\n") if line)


WORDS = r"[^<>&\x00-\x1f]"
FORM_OF: Mapping[str, tuple[str, Callable[[str], Any]]] = {
    "bool": ("[01]", lambda text: text == "1"),
    "int": ("[0-9]{1,6}", int),
    "int | None": ("[0-9]{1,6}", int),
    "float": ("-?[0-9][0-9.e+-]{0,23}", read_number),
    "float | None": ("[0-9.e+-]{0,24}", read_number),
    "str": (f"{WORDS}{{0,80}}?", str),
}
"""How an address writes a field of each type, and how it is read."""


@dataclass(frozen=True)
class InstrumentChoices:
    """The choices in one instrument; an address gives only those that differ from a newly opened page."""

    # a parameter's name -> its text, with the names of fields in braces; the part in brackets is left out where its
    # fields are as on a newly opened page
    ADDRESS: ClassVar[Mapping[str, str]] = {}

    @classmethod
    def _form(cls, text: str) -> re.Pattern[str]:
        """The pattern of a parameter, with a group for each field."""
        types = {each.name: str(each.type) for each in fields(cls)}
        form = re.sub(r"{(\w+)}", lambda field: f"(?P<{field[1]}>{FORM_OF[types[field[1]]][0]})", text)
        return re.compile(form.replace("[:(", "(?::(").replace(")]", "))?"))

    @property
    def query(self) -> dict[str, str]:
        """The choices as parameters of an address; one that a user's own name makes unreadable is left out."""
        found, plain = {}, type(self)()
        for name, text in self.ADDRESS.items():
            if self._differs(text, plain):
                kept = re.sub(r"\[(.*?)\]", lambda more: more[1] if self._differs(more[1], plain) else "", text)
                found[name] = re.sub(r"{(\w+)}", lambda field: _said(getattr(self, field[1])), kept)
        return {name: said for name, said in found.items() if self._form(self.ADDRESS[name]).fullmatch(said)}

    def _differs(self, text: str, plain: InstrumentChoices) -> bool:
        return any(getattr(self, name) != getattr(plain, name) for name in re.findall(r"{(\w+)}", text))

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Self | None:
        """The choices that an address gives; None where it gives none."""
        found, types = dict[str, Any](), {each.name: str(each.type) for each in fields(cls)}
        for name in cls.ADDRESS.keys() & query.keys():
            said = cls._form(cls.ADDRESS[name]).fullmatch(query[name])
            values = {} if said is None else {k: FORM_OF[types[k]][1](v) for k, v in said.groupdict().items() if v}
            if said is None or None in values.values():
                raise RefusedError(f"{name} is not written as a page writes it.")
            found |= values
        return cls(**found) if cls.ADDRESS.keys() & query.keys() else None


def _said(value: object) -> str:
    return "" if value is None else f"{value:d}" if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Line(InstrumentChoices):
    """*Break it*: the chosen line, and the chosen piece of its equation."""

    ADDRESS = {"line": "{stage}/{key}/{piece}"}  # noqa: RUF012
    stage: str = "filter"
    key: str = "inward_filter.prediction.P"
    piece: int = 0


@dataclass(frozen=True)
class ContactTrial(InstrumentChoices):
    """*Contact*: by how many decades the tried object is heavier, whether gravity acts, the gain's form;
    ``dual``: whether the object is the prior and the arms measure, (9.2), or the reverse, (9.1)."""

    ADDRESS = {"trial_object": "{decades}:{gravity}:{form}[:{dual}]"}  # noqa: RUF012
    decades: float = 0.0
    gravity: bool = True
    form: str = "mobility"
    dual: bool = False


@dataclass(frozen=True)
class InfluenceView(InstrumentChoices):
    """*Influence*: the map, the sweep over it, and the chosen row; None for the torque's own joint."""

    ADDRESS = {"influence": "{map}:{sweep}", "moved": "{row}"}  # noqa: RUF012
    map: int = 0
    sweep: int = 0
    row: int | None = None


@dataclass(frozen=True)
class EstimationView(InstrumentChoices):
    """*Estimation*: the number of draws, zero for the default; and the joint whose whiteness is shown."""

    ADDRESS = {"sampled": "{draws}", "whiteness": "{white}"}  # noqa: RUF012
    draws: int = 0
    white: int = 0


@dataclass(frozen=True)
class MethodStep(InstrumentChoices):
    """*Methods*: the formulation that is stepped through, empty for the first, and its step."""

    ADDRESS = {"formulation": "{method}[:{step}]"}  # noqa: RUF012
    method: str = ""
    step: int = 0


@dataclass(frozen=True)
class CostView(InstrumentChoices):
    """*Cost*: the group of methods, the paper's table, the parallel form, and the two methods in the race."""

    ADDRESS = {"cost_view": "{group}:{table}:{form}", "raced": "{one},{other}"}  # noqa: RUF012
    group: int = 0
    table: int = 0
    form: int = 0
    one: str = ""
    other: str = ""


@dataclass(frozen=True)
class ChangeView(InstrumentChoices):
    """*Change*: its open group, the body whose mass is shown, and a push."""

    ADDRESS = {"changing": "{group}", "shown_body": "{body}", "pushing": "{direction}:{newtons}:{pushed}"}  # noqa: RUF012
    group: str = ""
    body: str = ""
    direction: int = 0  # number of the push's direction; ``newtons`` is None for half of what the body ``pushed`` bears
    newtons: float | None = None
    pushed: str = ""


INSTRUMENTS: Mapping[str, type[InstrumentChoices]] = {
    "line": Line, "contact": ContactTrial, "influence": InfluenceView, "estimation": EstimationView,
    "methods": MethodStep, "cost": CostView, "changing": ChangeView,
}  # fmt: skip
"""The class of each of these session parameters."""


LONGEST_PANELS = 4000  # Most characters: six panels of two quantities in each of four sets take three thousand
FORMS: Mapping[str, re.Pattern[str]] = {
    "tab": re.compile(r"[A-Za-z ]{1,24}"),
    "beside": re.compile(r"[A-Za-z ]{1,24}"),
    "sheet": re.compile(r"Links|Matrices"),
    "plots": re.compile(r"[A-Za-z ]{1,24}"),
    "panels": re.compile(rf"[A-Za-z0-9_/:~;|,. -]{{1,{LONGEST_PANELS}}}"),
    "zoom": re.compile(r"[0-9.]{1,9}-[0-9.]{1,9}"),
    "checked": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "result": re.compile(r"[A-Za-z0-9_]{1,24}"),
    "lesson": re.compile(r"[a-z0-9_]{1,40}:[0-9]{1,2}"),
    "base": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "matrix": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "accelerations": re.compile(r"[a-z0-9_:;,.+-]{1,8000}"),
    "compared": re.compile(r"[A-Z]"),
    "study": re.compile(r"[^<>&\x00-\x1f]{1,300}"),
    "write": re.compile(rf"{KEY}(/all)?"),
    "typed": TYPED_FORM,
}
"""The form of each text part, by its name in the session and in an address; empty means as the page opens."""


OWN = "base", "accelerations"  # Choices that need this machine to have them
PINS: Mapping[str, str] = {"scene": "follows_walk", "plots": "plots_follow"}
"""What the walk leaves as the user set it, and the session parameter that controls this."""


def query_of_arrangement(session: Session) -> dict[str, str]:
    """What is open, as parameters of an address; the defaults of a new page are left out."""
    # A name from a user's own file may not fit an address: then that part opens as on a new page.
    found = {name: text for name, form in FORMS.items() if (text := getattr(session, name)) and form.fullmatch(text)}
    for name in INSTRUMENTS:
        found |= getattr(session, name).query
    if session.plots_follow:  # the walk has opened them, and will do so there, too
        found.pop("plots", None)
    found |= {} if session.shadow else {"shadow": "0"}
    if pins := [word for word, name in PINS.items() if not getattr(session, name)]:
        found["pins"] = ",".join(pins)
    if session.motion is not None:
        found["motion"] = f"{session.motion:.3f}"
    return found


def parse_arrangement(query: Mapping[str, str], duration: float) -> dict[str, Any]:
    """Values of the session's parameters; parts that the link does not mention stay as the user has them."""
    found: dict[str, Any] = {"motion": None, **dict.fromkeys(OWN, ""), "line": Line()}
    found |= {name: chosen for name, kind in INSTRUMENTS.items() if (chosen := kind.read(query)) is not None}
    for name, form in FORMS.items():
        if name in query:
            if not form.fullmatch(query[name]):
                raise RefusedError(f"{name} is not written as a page writes it.")
            found[name] = query[name]
    if "shadow" in query:
        found["shadow"] = query["shadow"] != "0"
    pins = query.get("pins", "").split(",")
    found |= {name: False for word, name in PINS.items() if word in pins}
    if "layers" in query and "scene" not in pins:  # a link that says what is drawn also says who chose it
        found["follows_walk"] = True
    if "motion" in query:
        start = read_number(query["motion"])
        if start is None or not 0.0 <= start <= duration:
            raise RefusedError(f"motion is not a time from 0 to {duration:g}.")
        found["motion"] = start
    return found
