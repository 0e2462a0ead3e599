"""A question from its table, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from app.lessons.lesson import Choice, Curve, Item, Mistake, Number, Option, Order, Pointed, Question, Task
from app.lessons.table import MISSING, Table

POINTED = ("link",)
"""What only the page knows: the link that is pointed at."""
MOST = 8
"""Options, items, or mistakes of a question."""


def question_of(kind: str, table: Table) -> Question:
    """The question of a table, which notes what it lacks."""
    return READERS[kind](table)


def _choice(table: Table) -> Choice:
    options = []
    for each in table.tables("options", 2, MOST):
        options.append(Option(each.told("text", 300), each.comparison("right"), each.told("say", 500, "")))
        each.close()
    return Choice(tuple(options))


def _number(table: Table) -> Number:
    tolerance, relative = table.tolerance("tolerance")
    mistakes = []
    for each in table.tables("mistakes", 0, MOST):
        mistakes.append(Mistake(each.value("value"), each.told("say", 500)))
        each.close()
    stated = table.number("stated", -1e15, 1e15, MISSING) if table.has("stated") else None
    answer, unit = table.value("answer"), table.unit("unit")
    return Number(answer, unit, tolerance, relative, stated, tuple(mistakes))


def _link(table: Table) -> Pointed:
    return Pointed(table.comparison("right", POINTED))


def _curve(table: Table) -> Curve:
    least, most = table.number("least", -1e9, 1e9), table.number("most", -1e9, 1e9)
    if least >= most:
        table.note("most", f"most is {most:g} and least {least:g}.", "most is the larger.")
    return Curve(
        table.value("of"),
        table.unit("unit"),
        table.number("until", 0.05, 10.0),
        least,
        most,
        table.number("tolerance", 1.0, 100.0, 20.0) / 100.0,
    )


def _order(table: Table) -> Order:
    items = []
    for each in table.tables("items", 2, MOST):
        items.append(Item(each.told("text", 200), each.value("by") if each.has("by") else None))
        each.close()
    return Order(tuple(items))


def _task(table: Table) -> Task:
    return Task(table.comparison("until", POINTED))


READERS: Mapping[str, Callable[[Table], Question]] = MappingProxyType(
    {"choice": _choice, "number": _number, "link": _link, "curve": _curve, "order": _order, "task": _task}
)
