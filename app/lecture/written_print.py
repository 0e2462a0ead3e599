"""What a moment with *Write it* open has of it in print: the line that is asked for, and what was typed."""

from __future__ import annotations

import html
from collections.abc import Mapping

import dynamics as dyn
from app.state import typed_lines
from app.state.writing import FIRST, WHOLE
from app.views.exercise_html import asked_html, bare

BLANK = "?"


def writing_html(system: dyn.System, asked: str, typed: str) -> str:
    """The line to be written, or all of its sweep, each as it was typed; nothing of what is published.

    Args:
        asked: the line, as a link says it.
        typed: what stands in lines, as a link says it.
    """
    own = {each.key: each for each in dyn.exercises(system)}
    chosen = own.get(asked.removesuffix(WHOLE) or FIRST) or own[FIRST]
    blank = [each for each in own.values() if each.sweep == chosen.sweep] if asked.endswith(WHOLE) else [chosen]
    lines = typed_lines.read(typed)
    return f"{asked_html(chosen)}<ul>{''.join(_line_html(each, lines) for each in blank)}</ul>"


def _line_html(exercise: dyn.Exercise, lines: Mapping[str, str]) -> str:
    text = bare(lines.get(exercise.key, "")) or BLANK
    return f"<li><code>{html.escape(f'{exercise.left} = {text}')}</code></li>"
