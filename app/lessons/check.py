"""``python -m app.lessons check FOLDER``: whether a lesson, or every lesson of a folder, can be taught."""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from app.lessons.exercise import Exercise, grade, prepare
from app.lessons.expressions import ExpressionError
from app.lessons.lesson import Fault, Lesson, LessonError, read_typed
from app.lessons.library import folders_in, read_folder
from app.number_text import number_text
from app.state import Session

USAGE = "usage: python -m app.lessons check FOLDER\nFOLDER is a lesson (it has a lesson.toml), or a folder of lessons."
FIRST = "planar_chain"
PRINTED = re.compile(r"(?<![\w.])[−-]?\d[\d.]*\d")
"""A number of two digits or more: a single one is most often an index."""


def main(arguments: list[str]) -> int:
    """Prints every fault as ``file:line: what is wrong``; returns 0 without faults, 1 with, 2 if there is no lesson."""
    folder = Path(arguments[1]) if len(arguments) == 2 and arguments[0] == "check" else None
    folders = folders_in(folder) if folder is not None and folder.is_dir() else []
    if not folders:
        print(USAGE if folder is None else f"{folder}: there is no lesson in it.", file=sys.stderr)
        return 2
    session, count = Session(FIRST), 0
    for each in folders:
        try:
            faults = faults_of(read_folder(each), session)
        except LessonError as error:
            faults = list(error.faults)
        for fault in faults:
            print(f"{each}/{fault}")
        if not faults:
            print(f"{each}: can be taught")
        count += len(faults)
    return 1 if count else 0


def faults_of(lesson: Lesson, session: Session, seconds: float = math.inf) -> list[Fault]:
    """Everything that the mechanics finds wrong with a lesson; after ``seconds`` no further step is computed."""
    faults, until = list[Fault](), time.monotonic() + seconds
    for step in lesson.steps:
        if time.monotonic() > until:
            break
        try:
            wrong = [*_wrong(exercise := prepare(step, session)), *_wrong_numbers(exercise)]
            faults += [Fault(step.file, step.lines.get(key, 1), words) for key, words in wrong]
        except LessonError as error:
            faults += error.faults
    return faults


def _wrong_numbers(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """(key, what is wrong with it) of numbers that match neither moment in all typed digits."""
    for text, value, _ in exercise.step.numbers:
        if value is not None and (typed := read_typed(text)) is not None:
            given = []
            for is_after in (False, True):
                with suppress(ExpressionError):
                    given.append(value.number(replace(exercise.scope, is_after=is_after)))
            if all(abs(true - typed[0]) > typed[1] * (1.0 + 1e-9) for true in given):
                found = " and after the answer ".join(number_text(true, digits=6) for true in given) or "nothing"
                yield text, f"the text says {text!r}, and {value.text} gives {found}."


def _wrong(exercise: Exercise) -> Iterator[tuple[str, str]]:
    """(key, what is wrong with it) of a question at its moment."""
    question, scope = exercise.step.question, exercise.scope
    match question and question.kind:
        case "choice":
            right = [str(k) for k, each in enumerate(question.options, 1) if each.value.holds(scope)]
            if len(right) != 1:
                found = f"options {' and '.join(right)} are" if right else "no option is"
                yield "options", f"{found} right at this moment; exactly one has to be."
        case "number":
            true = question.value.number(scope)
            if question.stated is not None and abs(question.stated - true) > question.margin(true):
                yield (
                    "stated",
                    f"it states {question.stated:g}, and the live state gives {number_text(true, digits=6)}.",
                )
            for mistake in question.options:
                if abs(mistake.value.number(scope) - true) <= question.margin(true):
                    yield "mistakes", f"the mistake {mistake.value.text} is right here; choose another moment."
            for printed in PRINTED.findall(re.sub("<[^>]+>", "", f"{exercise.text} {exercise.ask}")):
                if grade(exercise, printed).verdict == "right":
                    yield "tolerance", f"the text says {printed}, which is graded right; narrow the tolerance."
        case "link":
            if not 0 < len(exercise.right_links) < scope.after.system.n_links:
                yield "right", f"{len(exercise.right_links)} links are right; some have to be right, and some wrong."
        case "order":
            values = [each.value.number(scope) for each in question.options if each.value is not None]
            if values and (len(values) < len(question.options) or any(a >= b for a, b in pairwise(values))):
                found = ", ".join(map(number_text, values))
                yield "items", f"its items are not in rising order: {found}. Give each of them by, or none."
        case "curve":
            low, high = float(exercise.curve[1].min()), float(exercise.curve[1].max())
            if low < question.least or high > question.most:
                found = f"{number_text(low)} to {number_text(high)}"
                yield "least", f"the curve goes from {found}, beyond its axis; widen least and most."
        case "task":
            if question.value.holds(replace(scope, is_after=False)):
                yield "until", "the task is done already; ask for something that is not so yet."
            if not question.value.holds(scope):
                yield "then", "then does not show the task done; let it lead to a moment where it is."
