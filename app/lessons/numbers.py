"""The numbers of a step's texts: each is computed there, declared beside what gives it, or a fault."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from app.lessons.fault import Fault
from app.lessons.lesson import Curve, Declared, Prose, Step, Task
from app.lessons.naming import asks_nothing
from app.lessons.staged import Staged
from app.lessons.supposed import SUPPOSED, is_supposed, supposed_in
from app.lessons.table import NOUGHT, Table
from app.lessons.typed import Typed, is_right, names_in, places_of, read_typed, typed_in
from app.lessons.values import ExpressionError
from app.number_text import number_text

GIVEN_BY = {
    "kg": "mass(1)",
    "m": "length(1)",
    "s": "after.time",
    "°": "180 / pi * position(1)",
    "N": "mass(1) * norm(gravity)",
    "N m": "torque(1)",
    "m/s²": "norm(gravity)",
    "kg m²": "joint_inertia(1)",
    "joints": "joints",
    "links": "links",
    "arms": "arms",
}
"""What might give a number of a unit, to show how it is written."""
MOST_NUMBERS = 40
"""That a step declares."""
NEAR = 1e-4
"""Share by which a limit that a text tells may be off the one that is asked for."""


def declared_in(table: Table) -> tuple[Declared, ...]:
    """What ``[numbers]`` says, which notes what is none."""
    found = []
    if len(table.keys) > MOST_NUMBERS:
        said = f"there are {len(table.keys)} numbers."
        table.note(table.keys[MOST_NUMBERS], said, f"A step has at most {MOST_NUMBERS}; make two of it.")
    for text in table.keys[:MOST_NUMBERS]:
        if read_typed(text) is None:
            table.note(text, f"{text!r} does not begin with a number.", 'Write one as the text has it: "0.3 m".')
        elif is_supposed(table, text):
            found.append(Declared(text, None, table.line_of(text), supposed_in(table, text)))
        else:
            value = table.value(text)
            is_read = value is not NOUGHT
            if is_read and asks_nothing(value):
                said = f"{text}: {value.text} asks nothing of the moment, and cannot be wrong."
                table.note(text, said, f'Name what gives the number, or write "{SUPPOSED}" if the step supposes it.')
            found.append(Declared(text, value if is_read else None, table.line_of(text)))
    return tuple(found)


def undeclared(step: Step) -> Iterator[Fault]:
    """Every number of the mechanics that is typed with nothing beside it; and what is declared and stands nowhere."""
    met = set[str]()
    for prose, _ in step.texts:
        covered = list(declared_at(prose.text, step.numbers))
        met |= {declared.text for _, _, declared in covered}
        ends = {start: end for start, end, _ in covered}
        for typed in typed_in(prose.text):
            if not _is_within(typed, ends) and not _is_limit(step, prose, typed):
                said = f"the number {str(typed)!r} is typed, and nothing checks it."
                gives = GIVEN_BY.get(typed.unit, "mass(1)")
                beside = f'"{typed}" = "{gives}"'
                remedy = f"Write {{{{ {gives} }}}} in its place, or below [numbers] {beside}, whatever gives it."
                if not typed.unit:
                    remedy += " One that names something stands behind what it names: step 4."
                yield Fault(step.file, line_at(prose, typed.start), said, remedy)
    for declared in step.numbers:
        if declared.text not in met:
            said = f"{declared.text!r} stands in no text of this step."
            yield Fault(step.file, declared.line, said, "Write it as the text has it, or take it out.")


def declared_at(text: str, numbers: Sequence[Declared]) -> Iterator[tuple[int, int, Declared]]:
    """(start, end, which) of all declared numbers in a text; of several that begin at one place the longest."""
    longest = dict[int, tuple[int, Declared]]()
    for declared in numbers:
        for start, end in places_of(declared.text, text):
            if start not in longest or longest[start][0] < end:
                longest[start] = end, declared
    yield from ((start, *longest[start]) for start in sorted(longest))


def _is_within(typed: Typed, ends: Mapping[int, int]) -> bool:
    """Whether a number is declared as it is typed, with all that belongs to it, and perhaps a sign before it.

    Args:
        ends: of each declared number by where it begins.
    """
    return any(ends.get(start, 0) >= typed.end for start in (typed.start, typed.start - 1))


def _is_limit(step: Step, prose: Prose, typed: Typed) -> bool:
    """Whether a question's own words tell a limit that it sets: what a task is to reach, until when a curve goes."""
    if prose.text != step.ask:
        return False
    match step.question:
        case Task(until=until):
            limits = [
                abs(side)
                for node in ast.walk(until.tree)
                if isinstance(node, ast.Compare)
                for each in (node.left, *node.comparators)
                if (side := _constant(each)) is not None
            ]
        case Curve(until=last):
            limits = [last]
        case _:
            return False
    read = read_typed(typed.number)
    return read is not None and any(abs(read[0] - limit) <= NEAR * limit for limit in limits)


def _constant(node: ast.expr) -> float | None:
    """A number that is written as one, with its sign or without."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return float(inner.value) if isinstance(inner, ast.Constant) else None  # type: ignore[arg-type]


def wrong_numbers(stage: Staged) -> Iterator[Fault]:
    """Every declared number that is not what the moment gives, wherever it stands."""
    step = stage.step
    for prose, is_after in step.texts:
        scope = stage.scope.later() if is_after else stage.scope
        for start, _, declared in declared_at(prose.text, step.numbers):
            if declared.value is None:
                continue
            try:
                true = declared.value.number(scope)
            except ExpressionError as error:
                yield Fault(step.file, declared.line, f"{declared.text}: {error}", "Mend the expression.")
                continue
            if not is_right(declared.text, true):
                gives = f"{declared.value.text} gives {number_text(true, digits=6)}"
                said = f"it says {declared.text!r}, and {gives} {'after the answer' if is_after else 'here'}."
                yield Fault(step.file, line_at(prose, start), said, "Say what the mechanics gives.")


def wrong_names(stage: Staged) -> Iterator[Fault]:
    """Every joint, link, arm or hand that is named by a number beyond those of the machine that is shown."""
    for prose, is_after in stage.step.texts:
        system = (stage.scope.after if is_after else stage.scope.before).solution.system
        counts = {"joint": system.n_joints, "link": system.n_links, "arm": system.n_arms, "hand": len(system.tips)}
        for noun, number, start in names_in(prose.text):
            if number > (count := counts.get(noun, number)):
                said = f"there is no {noun} {number}: the machine has {count}."
                yield Fault(stage.step.file, line_at(prose, start), said, "Name one that it has, counted from the tip.")


def line_at(prose: Prose, at: int) -> int:
    """The line of a place in a text, characters from its start."""
    return prose.line + prose.text.count("\n", 0, at)
