"""The ladder of what can be written, and the text of a sweep with its blanks."""

from __future__ import annotations

import html

import dynamics as dyn
from app.state.writing import SWEEPS, Writing
from app.views.exercise_html import bare


def ladder_html(writing: Writing) -> str:
    """Every sweep of the machine, what one begins with first, and how much of each is written."""
    chosen = writing.exercise.sweep
    found = ""
    for sweep, title in SWEEPS.items():
        own = [each for each in writing.exercises if each.sweep == sweep]
        if own:
            done = sum(each.key in writing.right for each in own)
            mark = "✓ " if done == len(own) else ""
            here = " aria-current='step'" if sweep == chosen else ""
            found += (
                f"<li><span class='act' data-go='sweep {sweep}' tabindex='0' role='button'{here}>{mark}"
                f"{html.escape(title)} <span class='count'>{done} of {len(own)}</span></span></li>"
            )
    return f"<ol class='ladder' aria-label='What can be written'>{found}</ol>"


def blanks_html(writing: Writing) -> str:
    """Whether one line is blank, or the whole sweep."""
    own = len(writing.own)
    ways = "".join(
        f"<span class='act' data-go='{go}' tabindex='0' role='button' aria-pressed='{str(pressed).lower()}'>{words}"
        "</span>"
        for go, words, pressed in (
            ("one", "One line blank", not writing.whole),
            ("all", f"All {own} lines blank", writing.whole),
        )
        if go == "one" or own > 1
    )
    return f"<div class='acts'>{ways}</div>"


def text_html(writing: Writing) -> str:
    """The lines of a sweep: published, blank, or as somebody has written them."""
    chosen = writing.exercise
    rows = "".join(_row(writing, each, each.key == chosen.key) for each in writing.own)
    return (
        f"<p class='sweep'><span>{html.escape(SWEEPS[chosen.sweep])}, as the papers write it: choose a line to write"
        f"</span><span class='file'>dynamics/textbook/{chosen.file}</span></p><ol class='text'>{rows}</ol>"
    )


def _row(writing: Writing, each: dyn.Exercise, is_chosen: bool) -> str:
    done = each.key in writing.right
    blank = is_chosen or (writing.whole and not done)
    own = writing.done.get(each.key, "") if writing.whole or is_chosen else ""
    mark = "<b class='good'>✓</b> " if done else ""
    if blank:
        right, told = "<span class='blank'>?</span>", "blank"
    else:
        right, told = html.escape(bare(own) if own else each.right), "written by you" if own else "published"
    if is_chosen and done:
        told = "blank, written before"
    here = " aria-current='step'" if is_chosen else ""
    label = html.escape(f"{each.left}, {each.equation}, {told}", quote=True)
    return (
        f"<li value='{each.number}' class='{'here' if is_chosen else ''}'><div class='row' data-go='line {each.key}' "
        f"tabindex='0' role='button' aria-label='{label}'{here}><code>{html.escape(each.left)} = {right}</code>"
        f"<span class='source'>{mark}{html.escape(each.equation)}</span></div></li>"
    )
