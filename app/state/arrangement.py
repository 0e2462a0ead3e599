"""What is open beside the world, as a link says it: the instrument, the plots, the line that is looked at to be broken.

Which instruments and quantities there are only the views know. What is read here is bounded and harmless; a view takes
of it what it has, and says here what it took.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from app.number_text import read_number
from app.state.machine_loader import RefusedError

if TYPE_CHECKING:
    from app.state.session import Session


LONGEST_TEXT = 400
"""Characters of a line: as many as the field takes, and more than are ever worked out."""
LONGEST_TYPED = 6000
"""Characters of all of them; the longest sweep, all of it written, has a tenth of that."""
KEY = r"[a-z_]{1,40}(?:\.[A-Za-z0-9_]{1,40}){1,3}"
# Half a character cannot be sent to a browser.
TEXT = rf"[^\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029]{{1,{LONGEST_TEXT}}}"
ONE_LINE = re.compile(f"{KEY}={TEXT}")
TYPED_FORM = re.compile(rf"(?=(?s:.){{1,{LONGEST_TYPED}}}\Z){KEY}={TEXT}(?:\n{KEY}={TEXT})*")


def typed_text(lines: Iterable[tuple[str, str]]) -> str:
    """Lines as a link says them; one that it cannot say, or has no more room for, is left out."""
    found = ""
    for key, text in lines:
        one = f"{key}={text}"
        if ONE_LINE.fullmatch(one) and len(found) + 1 + len(one) <= LONGEST_TYPED:
            found += f"\n{one}" if found else one
    return found


def read_typed(text: str) -> dict[str, str]:
    """What a link of that form says."""
    return dict(line.split("=", 1) for line in text.split("\n") if line)


LONGEST_PANELS = 4000
"""Characters: six panels of two quantities in each of four sets are three thousand."""
FORMS: Mapping[str, re.Pattern[str]] = {
    "tab": re.compile(r"[A-Za-z ]{1,24}"),
    "beside": re.compile(r"[A-Za-z ]{1,24}"),
    "sheet": re.compile(r"Links|Matrices"),
    "plots": re.compile(r"[A-Za-z ]{1,24}"),
    "panels": re.compile(rf"[A-Za-z0-9_/:~;|,. -]{{1,{LONGEST_PANELS}}}"),
    "zoom": re.compile(r"[0-9.]{1,9}-[0-9.]{1,9}"),
    "formulation": re.compile(r"[a-z_]{1,24}(:[0-9]{1,5})?"),
    "checked": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "result": re.compile(r"[A-Za-z0-9_]{1,24}"),
    "lesson": re.compile(r"[a-z0-9_]{1,40}:[0-9]{1,2}"),
    "moved": re.compile(r"[0-9]{1,4}"),
    "influence": re.compile(r"[0-9]:[0-9]"),
    "base": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "cost_view": re.compile(r"[0-9]:[0-9]:[0-9]"),
    "raced": re.compile(r"[a-z_]{1,24},[a-z_ ]{1,24}"),
    "matrix": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "trial_object": re.compile(r"-?[0-9.e-]{1,24}:[01]:[a-z]{1,24}"),
    "sampled": re.compile(r"[0-9]{1,6}"),
    "whiteness": re.compile(r"[0-9]"),
    "accelerations": re.compile(r"[a-z0-9_:;,.+-]{1,8000}"),
    "changing": re.compile(r"[A-Za-z]{1,24}"),
    "shown_body": re.compile(r"[^<>&\x00-\x1f]{1,80}"),
    "pushing": re.compile(r"[0-9]:[0-9.e+-]{0,24}:[^<>&\x00-\x1f]{0,80}"),
    "compared": re.compile(r"[A-Z]"),
    "study": re.compile(r"[^<>&\x00-\x1f]{1,300}"),
    "write": re.compile(rf"{KEY}(/all)?"),
    "typed": TYPED_FORM,
    "line": re.compile(r"[a-z_]{1,40}/[A-Za-z0-9_.]{1,80}/[0-9]{1,2}"),
}
"""Of each part that is text, by its name in the session and in an address; none of them is the page as it opens."""


OWN = "line", "moved", "base", "accelerations", "pushing"
"""What is of this machine, or none."""
PINS: Mapping[str, str] = {"scene": "follows_walk", "plots": "plots_follow"}
"""What the walk leaves as its user has it, and the session's parameter that says so."""


def query_of_arrangement(session: Session) -> dict[str, str]:
    """What is open, as parameters of an address: nothing for what a page opens with."""
    # A name of somebody's own file may be none that an address can say: then that part opens as a page does.
    found = {name: text for name, form in FORMS.items() if (text := getattr(session, name)) and form.fullmatch(text)}
    if session.plots_follow:  # the walk has opened them, and opens them there, too
        found.pop("plots", None)
    if not session.shadow:
        found["shadow"] = "0"
    if pins := [word for word, name in PINS.items() if not getattr(session, name)]:
        found["pins"] = ",".join(pins)
    if session.motion is not None:
        found["motion"] = f"{session.motion:.3f}"
    return found


def parse_arrangement(query: Mapping[str, str], duration: float) -> dict[str, Any]:
    """Values of the session's parameters. What is open stays as its user has it where the link does not say.

    Args:
        duration: s of the timeline.

    Raises:
        RefusedError: for what is not of its form.
    """
    found: dict[str, Any] = {"motion": None, **dict.fromkeys(OWN, "")}
    for name, form in FORMS.items():
        if name in query:
            if not form.fullmatch(query[name]):
                raise RefusedError(f"{name} is not written as a page writes it.")
            found[name] = query[name]
    if "shadow" in query:
        found["shadow"] = query["shadow"] != "0"
    pins = query.get("pins", "").split(",")
    found |= {name: False for word, name in PINS.items() if word in pins}
    if "layers" in query and "scene" not in pins:  # a link that says what is drawn says by whom
        found["follows_walk"] = True
    if "motion" in query:
        start = read_number(query["motion"])
        if start is None or not 0.0 <= start <= duration:
            raise RefusedError(f"motion is no time from 0 to {duration:g}.")
        found["motion"] = start
    return found
