"""The half-steps of a reading for other programs: as Python that needs NumPy alone, and as LaTeX that compiles.

The program has the inputs of its lines as arrays, the lines themselves, and their results.
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dynamics.checks import Array, brief
from dynamics.errors import StateError
from dynamics.public import public_as_computed
from dynamics.reading.lines import Line
from dynamics.reading.reading import FactorValue, LineReading, Reading, TermValue
from dynamics.reading.typeset import link_number
from dynamics.textbook import blackboard
from dynamics.textbook.stages import Part

Call = tuple[Part, Line, str, dict[str, int]]
"""A line of a part as it reads, and the indices of its call."""
TELLING = '''
def tell(name, value, expected):
    """How far a value is from the one computed when this was written; two that are not numbers count as equal."""
    with np.errstate(invalid="ignore"):
        apart = np.abs(value - expected)
    apart[(value == expected) | (np.isnan(value) & np.isnan(expected))] = 0.0
    size = np.abs(expected[np.isfinite(expected)])
    print(f"{name}: {apart.max(initial=0.0):.1e} apart, of {size.max(initial=0.0):.1e}")
'''


def python_of(calls: Sequence[Call], scopes: Mapping[Part, Mapping[str, Any]], about: Sequence[str]) -> str:
    """The program; its numbers have all their digits. ``about`` are introductory comments, one a line."""
    gathered = _LineInputs()
    for part, line, source, indices in calls:
        gathered.read(source, scopes[part], indices)
        gathered.wrote(line, scopes[part], indices)
    parts = [
        "\n".join(f"# {_printable(words)}" for words in about),
        "from __future__ import annotations\n\nimport numpy as np\nfrom numpy import inf, nan",
        *_functions(gathered.functions),
        TELLING.strip(),
        "# The inputs of the lines: columns, [angular; linear], in inertial axes; what they do not need is nan.\n"
        + "\n".join(gathered.given()),
        "# The lines, as the text has them.\n" + "\n".join(_run(calls)),
        "# Their results here.\n" + "\n".join(_comparisons(calls, scopes)),
    ]
    return "\n\n".join(parts) + "\n"


class _LineInputs:
    """Inputs of lines that none of the lines has computed."""

    def __init__(self) -> None:
        self.functions: set[str] = set()
        self._whole: dict[str, Array] = {}
        self._arrays: dict[str, Array] = {}
        self._entries: dict[tuple[str, Any], Array] = {}
        self._asked: dict[str, dict[tuple[int, ...], Any]] = {}
        self._written: set[tuple[str, Any]] = set()

    def read(self, source: str, scope: Mapping[str, Any], indices: Mapping[str, int]) -> None:
        """Evaluates a line's right side and records what it reads."""
        (statement,) = ast.parse(source).body
        assert isinstance(statement, ast.Assign)
        nodes = list(ast.walk(statement.value))
        indexed = {id(node.value) for node in nodes if isinstance(node, ast.Subscript)}
        heard: dict[str, Any] = {}
        for node in nodes:
            if not isinstance(node, ast.Name) or node.id not in scope or node.id in indices:
                continue
            value = scope[node.id]
            if inspect.isfunction(getattr(blackboard, node.id, None)) or node.id in ("I", "O", "Z", "o"):
                self.functions.add(node.id)
            elif callable(value):
                heard[node.id] = functools.partial(self._ask, node.id, value)
            elif id(node) in indexed:
                heard[node.id] = _ReportingArray(value, functools.partial(self._look, node.id, value))
            elif (node.id, None) not in self._written:
                self._whole[node.id] = value
        with np.errstate(all="ignore"):
            eval(compile(ast.Expression(statement.value), "textbook", "eval"), {**scope, **heard, **indices})

    def wrote(self, line: Line, scope: Mapping[str, Any], indices: Mapping[str, int]) -> None:
        """Records that the line's own letter is available from now on."""
        if line.indices:
            self._arrays[line.letter] = scope[line.letter]
        self._written.add((line.letter, _place(line, indices)))

    def _ask(self, name: str, function: Callable[..., Any], *at: int) -> Any:
        found = function(*at)
        self._asked.setdefault(name, {})[at] = found
        return found

    def _look(self, name: str, array: Array, at: Any) -> None:
        self._arrays[name] = array
        if (name, at) not in self._written:
            self._entries[name, at] = array[at]

    def given(self) -> Iterator[str]:
        """One statement per input."""
        for name, value in self._whole.items():
            yield f"{name} = {_array(value)}"
        for name, array in self._arrays.items():
            yield f"{name} = np.full({array.shape}, nan)"
            for (other, at), value in self._entries.items():
                if other == name:
                    yield f"{name}[{_index(at)}] = {_array(value)}"
        for name, answers in self._asked.items():
            texts = {at: _array(one) if isinstance(one, np.ndarray) else one for at, one in answers.items()}
            written = "".join(f"    {at}: {text},\n" for at, text in texts.items())
            yield f"{name} = lambda *at: {{\n{written}}}[at]"


class _ReportingArray:
    """An array that reports which entry is read."""

    def __init__(self, array: Array, look: Callable[[Any], None]) -> None:
        self._array, self._look = array, look

    def __getitem__(self, at: Any) -> Array:
        self._look(at)
        return np.asarray(self._array[at])


def _run(calls: Sequence[Call]) -> Iterator[str]:
    here: Mapping[str, int] = {}
    for _, line, source, indices in calls:
        if indices and indices != here:
            here = indices
            yield f"{', '.join(indices)} = {', '.join(str(value) for value in indices.values())}"
        yield f"{source}  # {line.source.partition('  # ')[2]}"


def _comparisons(calls: Sequence[Call], scopes: Mapping[Part, Mapping[str, Any]]) -> Iterator[str]:
    for part, line, _, indices in calls:
        place = _place(line, indices)
        value = scopes[part][line.letter]
        name = line.letter if place is None else f"{line.letter}[{_index(place)}]"
        yield f'tell("{name}", {name}, {_array(value if place is None else value[place])})'


def _place(line: Line, indices: Mapping[str, int]) -> Any:
    at = tuple(indices[index.id] for index in line.indices if isinstance(index, ast.Name))
    return None if not at else at[0] if len(at) == 1 else at


def _index(at: Any) -> str:
    return ", ".join(map(str, at)) if isinstance(at, tuple) else str(at)


def _array(value: Any) -> str:
    """All digits, a row per line; an empty array as its shape."""
    array = np.asarray(value, dtype=float)
    if not array.size:
        return f"np.zeros({array.shape})"
    if array.ndim < 2 or len(array) < 2:
        return f"np.array({array.tolist()})"
    return "np.array([\n" + "".join(f"    {row},\n" for row in array.tolist()) + "])"


def _functions(names: set[str]) -> Iterator[str]:
    """The blackboard functions that the lines use, in its order, with their dependencies."""
    source = inspect.getsource(blackboard)
    found = {name: statement for statement in ast.parse(source).body for name in _defined(statement)}
    wanted, open_ = set[str](), set(names)
    while open_:
        name = open_.pop()
        wanted.add(name)
        used = {node.id for node in ast.walk(found[name]) if isinstance(node, ast.Name)}
        open_ |= (used & found.keys()) - wanted - {"Array"}
    seen = list[ast.stmt]()
    for name, statement in found.items():
        if name in wanted and statement not in seen:
            seen.append(statement)
            yield ast.get_source_segment(source, statement) or ""


def _defined(statement: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    if isinstance(statement, ast.FunctionDef):
        return [statement.name]
    if isinstance(statement, ast.Assign):
        return [node.id for node in ast.walk(statement.targets[0]) if isinstance(node, ast.Name)]
    return []


def _printable(words: str) -> str:
    return "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words)


@public_as_computed
def step_python(reading: Reading, stage: str, link: int, half: int, of: str = "") -> str:
    """The lines of a half-step as a program that needs only NumPy: their inputs, the lines, and their results.

    Args:
        reading: the text, evaluated.
        stage: as in ``Solution.stages``.
        link: its index from 0; in the contact stage one that holds.
        half: 0 across the link, 1 at its joint; a floating base has one half-step in each stage, either.
        of: an introduction, e.g. the machine and the moment.

    Returns:
        its text; when run, it computes each line's letter again and prints the difference from the value here. Empty
        if there are no lines.

    Raises:
        ModelError: for a stage that no system has.
        StateError: for a link that the system does not have, another half, or an introduction that is not text.

    Cost: some milliseconds.
    """
    calls = reading.calls(stage, link, half)
    about = _about(reading, stage, link, of)
    return python_of(calls, reading.evaluation.scopes, about) if calls else ""


@public_as_computed
def step_latex(reading: Reading, stage: str, link: int, half: int, of: str = "") -> str:
    """The lines of a half-step as a LaTeX document: each equation, its numbers to six digits, and its result.

    Args:
        reading: the text, evaluated.
        stage: as in ``Solution.stages``.
        link: its index from 0; in the contact stage one that holds.
        half: 0 across the link, 1 at its joint; a floating base has one half-step in each stage, either.
        of: an introduction, e.g. the machine and the moment.

    Returns:
        its text; empty if there are no lines.

    Raises:
        ModelError: for a stage that no system has.
        StateError: for a link that the system does not have, another half, or an introduction that is not text.

    Cost: as ``Reading.lines``.
    """
    lines = reading.lines(stage, link, half)
    about = _about(reading, stage, link, of)
    return latex_of(lines, about) if lines else ""


def _about(reading: Reading, stage: str, link: int, of: str) -> list[str]:
    if not isinstance(of, str):
        raise StateError(f"of is {brief(of)}; expected text.")
    system = reading.system
    arm = f"arm {int(system.arm_of_link[link]) + 1}, " if system.n_arms > 1 else ""
    place = f"{arm}link {link_number(system, link)}, counted from the tip: {system.link_names[link]}"
    broken = ["The text is broken here, and these are its numbers."] if reading.breaks else []
    return [*([of] if of else []), f"{stage.replace('_', ' ').capitalize()}, {place}.", *broken]


DIGITS = 6
WIDEST = 6
"""Columns that fit beside each other on a page; a wider matrix is printed smaller."""
DAGGER = r"^{\dagger"
HEAD = r"""\documentclass{article}
\usepackage[utf8]{inputenc}
\usepackage{amsmath,graphicx}
\usepackage[margin=2cm]{geometry}
\setcounter{MaxMatrixCols}{512}
\begin{document}"""
SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
    **{each: f"\\{each}" for each in "#$%&_"},
}  # fmt: skip


def latex_of(lines: Sequence[LineReading], about: Sequence[str]) -> str:
    """A complete document; ``about`` are introductory sentences."""
    parts = [HEAD, *(f"{text_latex(words)}\n" for words in about)]
    for line in lines:
        quantity = line.quantity
        parts.append(
            f"\\subsection*{{{text_latex(line.equation)}: {text_latex(quantity.mechanics_name)}}}\n"
            f"{text_latex(quantity.estimation_name)}; {text_latex(quantity.unit)}; {text_latex(quantity.frame)}."
        )
        parts += [f"\\[ {equation} \\]" for equation in _equations(line)]
    return "\n".join([*parts, r"\end{document}"]) + "\n"


def _equations(line: LineReading) -> Iterator[str]:
    yield line.latex
    written = "".join((r"-" if term.sign < 0 else "+" if at else "") + term.latex for at, term in enumerate(line.terms))
    yield f"{line.left}={written or '0'}"
    known = set[str]()
    for factor in _factors(line.terms):
        if factor.latex not in known:
            known.add(factor.latex)
            yield f"{factor.latex}={_powered(factor)}"
    yield f"{line.left}={matrix_latex(line.value)}"


def _powered(factor: FactorValue) -> str:
    """Its numbers, with the mark of the inverse if the line takes it."""
    written = matrix_latex(factor.value)
    if not factor.inverse:
        return written
    power = r"^{\dagger}" if DAGGER in factor.latex else "^{-1}"
    return (f"({written})" if factor.value.size == 1 else written) + power


def _factors(terms: Sequence[TermValue]) -> Iterator[FactorValue]:
    """The letters, those in brackets included; numbers need no further explanation."""
    for term in terms:
        for factor in term.factors:
            if factor.letter:
                yield factor
            for inner in factor.inner:
                yield from _factors(inner)


def matrix_latex(value: Array) -> str:
    """A matrix with its numbers; a 1x1 matrix as a number."""
    if not value.size:
        return r"\text{none}"
    if value.size == 1:
        return number_latex(float(value[0, 0]))
    rows = " \\\\\n".join(" & ".join(map(number_latex, row)) for row in value.tolist())
    matrix = f"\\begin{{bmatrix}}\n{rows}\n\\end{{bmatrix}}"
    return matrix if value.shape[1] <= WIDEST else f"\\resizebox{{0.85\\linewidth}}{{!}}{{${matrix}$}}"


def number_latex(value: float) -> str:
    """A number to six digits."""
    mantissa, _, exponent = f"{value:.{DIGITS}g}".partition("e")
    mantissa = {"nan": r"\mathrm{nan}", "inf": r"\infty", "-inf": r"-\infty"}.get(mantissa, mantissa)
    return mantissa + (f" \\cdot 10^{{{int(exponent)}}}" if exponent else "")


def text_latex(words: str) -> str:
    """Text escaped for LaTeX: commands in a robot's names have no effect, and unusual characters are replaced."""
    words = re.sub(r"[^\x20-\x7e]", "?", words)
    written = "".join(SPECIAL.get(letter, letter) for letter in words)
    return re.sub(r"\\textasciicircum\{\}(\d)", r"\\textsuperscript{\1}", written)
