"""Background of an equation: the meaning of its letters, and how its paper prints it. Sent on request."""

from __future__ import annotations

import functools
import html
import re
import tomllib
from importlib import resources
from typing import Any

from app.equations.formula import formula, raised, unit_html
from app.equations.words import STAGE_TITLES
from app.service.routes import FIRST, QUANTITIES, documentation_address
from dynamics.reading import Letter, textbook_letters

GIVEN = "given"  # Stands for the stage of a quantity that no stage computes


def anchor(stage: str, name: str) -> str:
    """The fragment of a quantity's entry on that page; lower case only, as the HTML is generated with."""
    small = re.sub("[A-Z]+", lambda found: f" capital {found[0].lower()}", f"{stage or GIVEN} {name}")
    return re.sub("[ _]+", "-", small)


def meanings(asked: str) -> dict[str, Any] | None:
    """The answer to a sheet's request: ``letters``, or ``paper`` with stage, quantity and number of an equation.

    Returns:
        for the browser; None if the request is neither.
    """
    what, _, which = asked.partition(" ")
    if asked == "letters":
        answer: dict[str, Any] = {"letters": letters()}
        reference = documentation_address(QUANTITIES)
        return answer | {"reference": reference, "anchors": anchors()} if reference else answer
    if what == "paper" and (card := cards().get(which)):
        return {"paper": which, "card": card}
    return None


@functools.cache
def letters() -> dict[str, str]:
    """A row of HTML for each letter of the text; also under "stage letter" if that stage computes it anew."""
    return {key: row for key, (_, row) in _letters_with_rows().items()}


@functools.cache
def anchors() -> dict[str, str]:
    """Anchors of the letters in the reference, by the same keys; letters of other formulations have none."""
    return {
        key: anchor(letter.stage, letter.quantity_name or letter.name)
        for key, (letter, _) in _letters_with_rows().items()
        if not letter.stage or letter.stage in STAGE_TITLES
    }


@functools.cache
def _letters_with_rows() -> dict[str, tuple[Letter, str]]:
    found: dict[str, tuple[Letter, str]] = {}
    for letter in textbook_letters():
        if letter.quantity.mechanics_name in ("zero", "identity"):
            continue
        pair = letter, _row(letter)
        if found.setdefault(letter.name, pair)[1] != pair[1]:
            found[f"{letter.stage} {letter.name}"] = pair
    return found


def _row(letter: Letter) -> str:
    quantity = letter.quantity
    source = f" <span class='from'>{html.escape(quantity.equation)}</span>" if quantity.equation else ""
    estimated = f"; <i>{html.escape(quantity.estimation_name)}</i>" if quantity.estimation_name else ""
    return (
        f"<dt>{formula(letter.latex)}</dt><dd>{raised(quantity.mechanics_name)}{estimated} "
        f"<span class='unit'>{unit_html(quantity.unit)}</span>{source}</dd>"
    )


@functools.cache
def cards() -> dict[str, str]:
    """The card of each equation number, by "stage quantity number": at a floating base the number may differ."""
    found: dict[str, str] = {}
    for letter in textbook_letters():
        stage, name = letter.stage, letter.quantity_name
        for number in {letter.quantity.equation, letter.quantity.equation_at_base} if name else ():
            if number:
                found[f"{stage} {name} {number}"] = _card(number, stage, name)
    return found


def _card(number: str, stage: str, name: str) -> str:
    """The paper, the equation as printed there, and what is written differently here."""
    known = papers()
    paper = next(word for word in number.rpartition(", ")[2].split() if word in known["paper"])  # "after R88 (8.3)"
    keys = (f"{number}.{name}", f"{stage}.{name}", name)  # a number may denote several lines
    printed: dict[str, str] = next((known["printed"][key] for key in keys if key in known["printed"]), {})
    shown = f"<p>{formula(printed['latex'])}</p>" if "latex" in printed else ""
    own = f"<p class='note'>In {paper}: {html.escape(known['letters'][paper])}</p>" if shown else ""
    here = f"<p class='note'>Here: {html.escape(printed['here'])}</p>" if "here" in printed else ""
    return f"<div class='card'><p><b>{html.escape(number)}</b> {reference_html(paper)}</p>{shown}{here}{own}</div>"


def reference_html(paper: str) -> str:
    """A paper as an entry of a reference list."""
    entry = papers()["paper"][paper]
    return f"{html.escape(entry['authors'])}, <i>{html.escape(entry['title'])}</i>, {html.escape(entry['where'])}."


def documentation_html() -> str:
    """A link to the documentation, if this server has it."""
    first = documentation_address(FIRST)
    if not first:
        return ""
    link = f"<a href='{first}' target='_blank' rel='noopener'><b>Documentation</b></a>"
    return f"<p>{link}: the first hour, how-tos, every function and quantity, the papers.</p>"


def bibliography_html() -> str:
    """Every paper under its short name."""
    rows = "".join(f"<li><b>{name}</b> {reference_html(name)}</li>" for name in papers()["paper"])
    return f"<p><b>Papers</b></p><ul>{rows}</ul>"


@functools.cache
def papers() -> dict[str, Any]:
    """``papers.toml``: the papers, and equations as they print them."""
    return tomllib.loads((resources.files("assets") / "papers.toml").read_text(encoding="utf-8"))
