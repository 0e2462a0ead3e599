"""A paper's results as a list, and one of them as a table: printed beside ours, and why they differ."""

from __future__ import annotations

import html
from collections.abc import Sequence
from string import ascii_lowercase

import dynamics as dyn
from app.equations.spelled import worded_html
from app.number_text import number_text

DIGITS = 8
"""Of what is printed: as many as any table of the papers has, and one more."""
PAPERS = ("R87", "R88", "JR", "TML", "JZ")
AGREES = "as printed"


def papers_html(paper: str) -> str:
    """Which paper is looked at."""
    buttons = "".join(
        f"<button type='button' data-go='paper {k}' aria-pressed='{str(name == paper).lower()}'>{name}</button>"
        for k, name in enumerate(PAPERS)
    )
    return f"<div class='tools'>{buttons}</div>"


def list_html(results: Sequence[dyn.PaperResult], paper: str) -> str:
    """What this paper has."""
    rows = "".join(
        f"<li><button type='button' data-go='show {k}'><b>{html.escape(result.place)}</b> "
        f"<span>{html.escape(result.title)}</span></button></li>"
        for k, result in enumerate(results)
        if result.paper == paper
    )
    return f"<ul class='results'>{rows}</ul>"


def head_html(results: Sequence[dyn.PaperResult], k: int) -> str:
    """What a result is, the way to its machine, and to its neighbors."""
    result = results[k]
    neighbors = "".join(
        f"<button type='button' data-go='show {at}'>{words}</button>"
        for at, words in ((k - 1, "Previous"), (k + 1, "Next"))
        if 0 <= at < len(results)
    )
    return (
        f"<h3>{result.paper}, {html.escape(result.place)}: {html.escape(result.title)}</h3>"
        f"<p>{html.escape(result.told)}</p>"
        "<p class='tools'><button type='button' data-go='open 0'>Open in the page</button>"
        f"<button type='button' data-go='paper {PAPERS.index(result.paper)}'>All of {result.paper}</button>"
        f"{neighbors}</p>"
    )


def numbers_html(found: dyn.Reproduction) -> str:
    """The table; differences carry a letter, and the letter its reason below."""
    if not found.numbers:
        return "<p class='none'>Nothing is printed here that could be compared.</p>"
    reasons = list(dict.fromkeys(number.reason for number in found.numbers if number.reason))
    rows = "".join(
        f"<tr><th scope='row'>{_where_html(number)}</th><td>{_text(number.published)}</td>"
        f"<td>{_text(number.ours)}</td><td class='said'>{_said(number, reasons)}</td></tr>"
        for number in found.numbers
    )
    explained = "".join(
        f"<li value='{k}'>{worded_html(reason[:1].upper() + reason[1:])}.</li>" for k, reason in enumerate(reasons, 1)
    )
    return (
        f"<table class='beside'><caption>{_verdict(found)}</caption><thead><tr><th></th><th scope='col'>printed</th>"
        f"<th scope='col'>here</th><th></th></tr></thead><tbody>{rows}</tbody></table>"
        + (f"<ol class='reasons' type='a'>{explained}</ol>" if explained else "")
    )


def _where_html(number: dyn.PaperNumber) -> str:
    unit = f", {number.unit}" if number.unit else ""
    return worded_html(f"{number.row}: {number.column}{unit}")


def _text(value: float) -> str:
    return number_text(value, digits=DIGITS)


def _said(number: dyn.PaperNumber, reasons: Sequence[str]) -> str:
    if number.reason:
        return f"differs <sup>{ascii_lowercase[reasons.index(number.reason)]}</sup>"
    return AGREES if number.agrees else "differs"


def _verdict(found: dyn.Reproduction) -> str:
    count = len(found.numbers)
    apart = sum(not number.agrees for number in found.numbers)
    if not apart:
        return f"{count} number{'s' if count > 1 else ''}, all as printed" if count > 1 else "As printed"
    return f"{count} numbers, {count - apart} as printed, {apart} explained below" if count > 1 else "Explained below"
