"""Actions for a step: see it in other instruments, break its line, copy or save it as Python or LaTeX."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import dynamics as dyn
from app.messages import file_stem, one_line
from app.state.walk import Place
from dynamics.reading import LineReading, Reading
from dynamics.step_text import step_latex, step_python

CONTACT, TWO_FILTERS, INFLUENCE, ESTIMATION, METHODS = "Contact", "Two filters", "Influence", "Estimation", "Methods"
BREAK_IT = "Break it"
SHOWN: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "filter": (ESTIMATION, TWO_FILTERS, METHODS),
        "smoother": (INFLUENCE, ESTIMATION, TWO_FILTERS, METHODS),
        "contact": (CONTACT, INFLUENCE),
        "filter_correction": (CONTACT, INFLUENCE),
        "smoother_final": (INFLUENCE, METHODS),
        "dual_filter": (TWO_FILTERS,),
    }
)
"""For each stage, the instruments that show its results."""


def shown_in(system: dyn.System, stage: str) -> list[str]:
    """Those instruments that apply to this machine."""
    absent = {CONTACT: system.task_object is None, TWO_FILTERS: system.kind != "free_flyer"}
    return [name for name in SHOWN[stage] if not absent.get(name, False)]


def elsewhere_html(system: dyn.System, stage: str, lines: Sequence[LineReading]) -> str:
    """A line below a step: ``see`` an instrument, ``break`` a line."""
    names = "".join(_way(f"see {name}", name) for name in shown_in(system, stage))
    line = next((one for one in lines if one.breaks), None)
    broken = "" if line is None else _way(f"break {line.stage}/{line.key}/0", f"{BREAK_IT}: {line.equation}")
    return f"<p class='elsewhere'>Also in {names}{broken}</p>"


def _way(go: str, words: str) -> str:
    return (
        f"<span class='action' data-go='{html.escape(go, quote=True)}' tabindex='0' role='button'>"
        f"{html.escape(words)}</span> "
    )


FORMS = {"Python": "py", "LaTeX": "tex"}
"""File extensions of the forms."""
TEXTS = {f"{verb} {form}": (form, verb == "save") for form in FORMS for verb in ("copy", "save")}
"""The buttons' requests: the form, and whether to save it as a file."""


def text_of(reading: Reading, place: Place, form: str, title: str, time: float) -> tuple[str, str]:
    """The text, empty if the place has no lines, and its file name."""
    write = step_python if form == "Python" else step_latex
    text = write(reading, place.stage, place.link, place.half, f"{one_line(title)}, t = {time:.3f} s")
    name = file_stem(title, place.stage, reading.system.link_names[place.link], f"at {time:.3f} s")
    return text, f"{name}.{FORMS[form]}"


def _button(asked: str, words: str, name: str) -> str:
    return (
        f"<button type='button' data-go='{asked}' aria-label='{html.escape(name, quote=True)}' "
        f"title='{html.escape(name, quote=True)}'>{words}</button>"
    )


def _offered(form: str) -> str:
    copied = _button(f"copy {form}", "Copy", f"Copy this step as {form}")
    return f"<span>{form}:</span> {copied} {_button(f'save {form}', 'Save', f'Save this step as {form}')}"


OFFERED = (
    "<div class='tools' role='group' aria-label='This step for other programs'>"
    f"{' '.join(map(_offered, FORMS))}</div><p class='note' role='status' data-told></p>"
)
"""The buttons, and a line for their result."""
