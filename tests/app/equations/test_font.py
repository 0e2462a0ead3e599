"""The font of formulas has whatever they are made of, and goes with each page that has some."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Iterator

import pytest

from app.equations.font import FILE, FOLDER, face_within, served_face
from app.equations.formula import formula
from app.opening import template
from app.present.handlers import page_text
from app.state import walk
from app.views.printed import PRINTING, printed_page
from dynamics.check.identities import IDENTITIES
from tests.app.walker.test_step_sheet import MOMENTS, reading_of

RANGE = re.compile(r"([0-9A-F]+)(?:-([0-9A-F]+))?")


def held() -> set[str]:
    """The characters of which the font was made."""
    told = re.sub(r"[\\\s]", "", (FOLDER / "README.md").read_text("utf-8")).partition('--unicodes="')[2]
    pairs = [RANGE.fullmatch(each).groups() for each in told.partition('"')[0].split(",")]
    return {chr(code) for first, last in pairs for code in range(int(first, 16), int(last or first, 16) + 1)}


def formulas() -> Iterator[str]:
    for identity in IDENTITIES.values():
        yield formula(identity.latex)
    for make in MOMENTS.values():
        reading = reading_of(make())
        for place in walk.whole_walk(reading.system):
            yield from (formula(line.lettered) for line in reading.lines(place.stage, place.link, place.half))


@pytest.mark.slow
@pytest.mark.compiled_only
def test_each_character_of_a_formula_is_in_the_font() -> None:
    used = {char for text in formulas() for char in html.unescape(re.sub(r"<[^>]*>", "", text))}
    assert len(used) > 40
    assert not used - held()


def test_each_page_with_formulas_has_it() -> None:
    assert served_face() in template()
    assert served_face("../") in page_text()
    whole = base64.b64encode((FOLDER / FILE).read_bytes()).decode()
    assert whole in face_within()
    assert face_within() in printed_page("x", "", PRINTING.with_name("printed.css"))
