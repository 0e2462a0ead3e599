"""The step at the cursor for other programs: as Python and as LaTeX, copied and saved."""

from __future__ import annotations

import html

from app.messages import file_stem, one_line
from app.state.walk import Place
from dynamics.reading import Reading
from dynamics.step_text import step_latex, step_python

FORMS = {"Python": "py", "LaTeX": "tex"}
"""And how files of them end."""
TEXTS = {f"{verb} {form}": (form, verb == "save") for form in FORMS for verb in ("copy", "save")}
"""What the buttons ask for: in which form, and whether as a file."""


def text_of(reading: Reading, place: Place, form: str, title: str, time: float) -> tuple[str, str]:
    """The text, empty where the place has no lines, and the name of its file."""
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
"""The buttons, and where what became of them is said."""
