"""A half-step as Python and as LaTeX: the program computes what the text did, and the document says its numbers."""

import ast
import re
from functools import partial
from typing import Any

import numpy as np
import pytest

import dynamics as dyn
from dynamics.reading import step_latex, step_python
from dynamics.reading.step_text import text_latex
from tests.dynamics.textbook.cases import case_named, places

SEED = 22
VARIED = "tree", "free flyer with losses", "coupled contacts", "floating group"
"""Machines that run every line between them."""
CLOSE = 1e-13
"""Of a line's largest number: the same operations, by another order of the processor's at most."""


def run(program: str) -> dict[str, Any]:
    imported = {
        alias.name if isinstance(node, ast.Import) else node.module
        for node in ast.walk(ast.parse(program))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    assert imported == {"__future__", "numpy"}
    left: dict[str, Any] = {"__name__": "step"}
    with np.errstate(all="ignore"):
        exec(compile(program, "step.py", "exec", dont_inherit=True), left)
    return left


def test_a_program_computes_what_the_text_did() -> None:
    for name in VARIED:
        case = case_named(name, SEED)
        reading = case.read()
        for place in places(case.system):
            lines, program = reading.lines(*place), step_python(reading, *place)
            assert bool(program) is bool(lines), (name, place)
            if program:
                check(program, len(lines))


def check(program: str, count: int) -> None:
    """Runs a program with a ``tell`` that listens: each line's value is the one that was written down."""
    told: list[str] = []

    def listen(name: str, value: Any, expected: Any) -> None:
        told.append(name)
        size = np.abs(expected[np.isfinite(expected)]).max(initial=0.0)
        np.testing.assert_allclose(value, expected, rtol=0.0, atol=CLOSE * size, err_msg=name)

    head, mark, tail = program.partition("# Their results here.\n")
    assert mark
    left = run(head)
    left["tell"] = listen
    exec(compile(tail, "step.py", "exec"), left)
    assert len(told) == count


def test_broken_lines_names_and_places() -> None:
    case = case_named("chain", SEED)
    place = ("filter", 2, 1)
    line = next(line for line in case.read().lines(*place) if line.breaks)
    reading = case.read([line.breaks[0].key])
    program = step_python(reading, *place)
    broken = next(one for one in reading.lines(*place) if one.key == line.key)
    assert broken.source != line.source
    assert f"{broken.source}  #" in program
    check(program, len(reading.lines(*place)))
    assert "broken" in step_latex(reading, *place)
    assert text_latex("\\input{/etc/passwd} 50% $x$ kg^2 b_c^~\n机") == (
        r"\textbackslash{}input\{/etc/passwd\} 50\% \$x\$ kg\textsuperscript{2} "
        r"b\_c\textasciicircum{}\textasciitilde{}??"
    )
    reading = case_named("chain", SEED).read()
    for written in (partial(step_python, reading), partial(step_latex, reading)):
        assert written("contact", 0, 0) == ""
        with pytest.raises(dyn.ModelError, match="no stage"):
            written("nothing", 0, 0)
        with pytest.raises(dyn.StateError, match="does not exist"):
            written("filter", 99, 0)


def test_a_document_is_balanced_and_says_every_number() -> None:
    for name in VARIED:
        case = case_named(name, SEED)
        reading = case.read()
        for place in places(case.system):
            lines, document = reading.lines(*place), step_latex(reading, *place)
            assert bool(document) is bool(lines), (name, place)
            assert_balanced(document)
            for line in lines:
                assert line.latex in document, line.key
                for value in line.value.ravel():
                    mantissa, _, exponent = f"{value:.6g}".partition("e")
                    written = f"{mantissa} \\cdot 10^{{{int(exponent)}}}" if exponent else mantissa
                    assert written in document, (name, line.key, value)


def assert_balanced(document: str) -> None:
    """Each environment, brace and display that is opened is closed, in order; no letter beside those of ASCII."""
    assert document.isascii()
    open_: list[str] = []
    for token in re.findall(r"\\(?:begin|end)\{\w+\*?\}|\\\[|\\\]|\\.|[{}]", document, re.DOTALL):
        name = token[token.index("{") + 1 : -1] if token.startswith(("\\begin", "\\end")) else token
        if token.startswith("\\begin") or token in ("{", "\\["):
            open_.append({"{": "}", "\\[": "\\]"}.get(name, name))
        elif token.startswith("\\end") or token in ("}", "\\]"):
            assert open_.pop() == name
    assert not open_
    assert document.count("$") % 2 == 0
    assert not re.search(r"\^\{[^{}]*\}\s*\^", document)  # no power of a power without brackets
