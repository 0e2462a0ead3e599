"""What can be typed as a line: letters, numbers, ``+ - * / @``, ``.T``, indices, sums and a few named functions.

Python's own parser builds the tree; nothing is executed. Every kind of node that is not listed here is refused with its
name and place. Text, nodes and depth are limited, so that any input is processed quickly.
"""

from __future__ import annotations

import ast
import functools
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from types import MappingProxyType
from typing import NoReturn

from dynamics.checks import brief
from dynamics.errors import LineError
from dynamics.textbook.symbols import SYMBOLS

INDEXED = r"[A-Za-z_]\w*(?:\[[^\[\]]*\]|\([^()]*\))?(?:\.T)?"
BEFORE, AFTER = re.compile(rf"(?:{INDEXED}|\d[\d.]*)$"), re.compile(rf"(?:{INDEXED}|\d[\d.]*)")
"""A factor as it is written: with its index, its two places, its transpose."""
Signs = Sequence[tuple[str, str]]
TRANSPOSE = "a transpose is typed as .T, here {stem}.T"
PRODUCT = "A product is typed as @, or * with a number."
COMMA = ((r"(?<![\w.])\d+,\d+", "a number has a decimal point: {comma}"),)
SIGNS: Signs = (
    (r"(?<=[\w\])])\s*(\^|\*\*)\s*\{?T\b\}?", TRANSPOSE),
    (
        r"(?<=[\w\])])\s*(\^|\*\*)\s*[{(]?\s*-\s*1\b\s*[})]?",
        "an inverse is typed as inv({before}), applied to b as solve({before}, b); of a number, as a division",
    ),
    (r"\.T\s*\(", ".T is not a function: it takes no brackets"),
    (
        r"(?<!\w)\d[\w.]*?(?=and|else|for|i[fns]|not|or)",  # Python's parser warns of some of these
        "“{found}” and “{after}” run together: a sign or a space belongs between them",
    ),
    (r"\.(dot|transpose|matmul)\b", "a product is typed as @, a transpose as .T"),
    (r"(?<![\w.])\d+,\d+(?![^(\[]*[)\]])", COMMA[0][1]),
)
UNREADABLE: Signs = (
    (r"[-+*/@]\s*$", "something is missing after the last sign"),
    (r"(?<=[\w\])])'+", TRANSPOSE),
    (
        r"(?<=[\w\])])(?<!\bfor)(?<!\bin)(?:\s+|(?<=[)\]]))(?!for\b|in\b)(?=[A-Za-z(\d])",
        "there is no sign between {before} and {after}: a product is typed as @, or * with a number",
    ),
    *COMMA,
)
"""Checked only if Python cannot parse the line."""


def check_signs(text: str, start: int, signs: Signs) -> None:
    """Refuses the first notation of another language, with how to type it here."""
    for pattern, said in signs:
        found = re.search(pattern, text[start:])
        if found is None:
            continue
        first, last = start + found.start(), start + found.end()
        if signs is UNREADABLE and text[:first].strip() and iskeyword(text[:first].split()[-1]):
            continue
        before, after = BEFORE.search(text[:first]), AFTER.match(text[last:])
        called = before[0] if before else "(…)"
        message = said.format(
            before=called,
            stem=called.removesuffix(".T"),
            after=after[0] if after else "(…)",
            found=text[first:last],
            comma=text[first:last].replace(",", "."),
        )
        raise LineError(f"{message}, at character {first + 1}.", first, max(last, first + 1))


LONGEST, MOST_NODES, DEEPEST = 240, 120, 20
"""Limits of characters, nodes, and nesting depth; the text's own longest line has 59 nodes, 11 deep."""
LARGEST = 1e6
"""Limit for a typed number: the text's own are 1 and 2."""
FUNCTIONS: Mapping[str, tuple[int, ...]] = MappingProxyType(
    {"solve": (2,), "least": (2, 3), "inv": (1,), "null": (1,), "transpose": (1,), "stack": (2,), "tilde": (1,),
     "cross": (2,)}
)  # fmt: skip
"""Allowed numbers of arguments."""
NEIGHBORS = ("outboard", "beside", "held_by")
"""Sets over which a sum may run."""
LEFT = re.compile(r"\s*(\w+)\s*(\[[\w, ]*\])?\s*=(?!=)")
"""A left side, which may be typed before the right one."""
MEANT = {
    "−": "-", "–": "-", "·": "@", "×": "@", "ᵀ": ".T", "⊤": ".T", "′": ".T", "’": ".T", "φ": "phi", "τ": "tau",
    "ε": "eps", "ν": "nu", "α": "alpha",
}  # fmt: skip
"""Characters of an equation, and how to type them."""
NAMES = {
    ast.Lambda: "a function definition (lambda)", ast.GeneratorExp: "a generator outside of sum(…)",
    ast.NamedExpr: "an assignment within the line (:=)", ast.Starred: "a starred argument (*)",
    ast.IfExp: "a condition (if)", ast.BoolOp: "and / or", ast.Not: "not", ast.Compare: "a comparison",
    ast.List: "a list", ast.Tuple: "a list with commas", ast.Slice: "a slice (:)", ast.Pow: "a power (**)",
    ast.FloorDiv: "an integer division (//)", ast.Mod: "a remainder (%)",
    ast.BitXor: "a bitwise operator (^)", ast.Invert: "a bitwise operator (~)",
}  # fmt: skip
"""Names of refused nodes in messages; any other has Python's name."""
CARRIERS = ("phi", "psi")
"""Letters that connect two places, and are called with both."""
OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.MatMult: "@"}
CHAIN = " For k - 1 of a chain, type j in sum(… for j in outboard(k)); for k + 1, i or inboard(k)."
"""The papers number the links of a chain; the text's are a tree's."""
KNOWN = (
    "It is made of letters, numbers, + - * / @, .T, indices in [ ], sum(… for j in outboard(k)), "
    f"{', '.join(FUNCTIONS)}."
)


@dataclass(frozen=True, eq=False)
class Parse:
    """Typed text, parsed.

    Attributes:
        text: as it was typed.
        node: its right side; ``Interpreter`` knows every node in it.
        before: characters before the right side.
    """

    text: str
    node: ast.expr
    before: int = 0

    def source(self, node: ast.AST) -> str:
        """The typed text of a node."""
        start, end = span(node, self.before)
        return self.text[start:end]


def span(node: ast.AST, before: int = 0) -> tuple[int, int]:
    """Position of a node in the typed text."""
    start = before + getattr(node, "col_offset", 0)
    return start, max(before + (getattr(node, "end_col_offset", 0) or 0), start)


@functools.lru_cache(maxsize=512)
def written(text: str, letter: str = "") -> Parse:
    """Parses typed text, with a left side that may compute ``letter``, if all of it is known.

    Raises:
        LineError: for anything else; it says what is wrong, where, and what can be typed.
    """
    if len(text) > LONGEST:
        raise LineError(f"this line has {len(text)} characters; at most {LONGEST} are read.", LONGEST, len(text))
    _check_characters(text)
    left = LEFT.match(text) if letter else None
    if left is not None and left[1] != letter:
        raise LineError(f"this line computes {letter}, not {left[1]}.", left.start(1), left.end(1))
    right = text[left.end() if left else 0 :].lstrip()
    if not right:
        raise LineError("nothing is typed yet: write the right side of the line.")
    before = len(text) - len(right)
    check_signs(text, before, SIGNS)
    try:
        node = ast.parse(right.rstrip(), mode="eval").body
    except SyntaxError as error:
        check_signs(text, before, UNREADABLE)
        start = before + max((error.offset or 1) - 1, 0)
        said = brief(error.msg)[1:-1]
        raise LineError(f"this cannot be read at character {start + 1}: {said}.", start, len(text)) from None
    except (ValueError, MemoryError, RecursionError):
        raise LineError("this is nested too deeply to be read.", before, len(text)) from None
    _Checker(text, before).check(node)
    return Parse(text, node, before)


def _check_characters(text: str) -> None:
    for at, one in enumerate(text):
        if one in MEANT:
            raise LineError(f"{one} at character {at + 1} is typed as {MEANT[one]}.", at, at + 1)
        if not (" " <= one <= "~") or one == "\\":
            name = unicodedata.name(one, f"U+{ord(one):04X}").lower()
            words = f"character {at + 1} is “{name}”; a line is typed with plain letters, digits and signs."
            raise LineError(words, at, at + 1)


class _Checker:
    """Walks a tree and refuses the first unknown node, or one that is nested too deeply."""

    def __init__(self, text: str, before: int) -> None:
        self._text, self._before, self._count = text, before, 0

    def _refuse(self, node: ast.AST, what: str, more: str = "") -> NoReturn:
        start, end = span(node, self._before)
        raise LineError(f"{what}, at character {start + 1}.{more}", start, end)

    def _unknown(self, node: ast.AST) -> NoReturn:
        kind = node.op if isinstance(node, ast.BinOp | ast.UnaryOp) else node
        if isinstance(kind, ast.Tuple):
            check_signs(self._text, self._before, COMMA)
        name = NAMES.get(type(kind), f"“{type(kind).__name__}”")
        self._refuse(node, f"{name} is not allowed in a line", f" {KNOWN}")

    def check(self, node: ast.AST, depth: int = 1) -> None:
        self._count += 1
        if depth > DEEPEST:
            self._refuse(node, f"this is nested more than {DEEPEST} deep")
        if self._count > MOST_NODES:
            self._refuse(node, f"this has more than {MOST_NODES} parts")
        match node:
            case ast.Constant(value=str() | bytes()):
                self._refuse(node, "quoted text is not allowed in a line")
            case ast.Constant(value=value):
                if isinstance(value, bool) or not isinstance(value, int | float):
                    self._refuse(node, f"{brief(value)} is not a number allowed in a line")
                if not abs(value) <= LARGEST:
                    self._refuse(node, f"the number is too large: at most {LARGEST:g}")
            case ast.Name(id=name):
                self._name(node, name)
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                self.check(operand, depth + 1)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
                self.check(left, depth + 1)
                self.check(right, depth + 1)
            case ast.Attribute(value=value, attr=attr):
                if attr != "T":
                    self._refuse(node, f"the attribute “.{brief(attr)[1:-1]}” is not allowed in a line, only .T")
                self.check(value, depth + 1)
            case ast.Subscript(value=value, slice=index):
                if not isinstance(value, ast.Name):
                    self._refuse(node, "only a letter has an index")
                self._name(value, value.id)
                for each in index.elts if isinstance(index, ast.Tuple) else (index,):
                    self._index(each)
            case ast.Call():
                self._call(node, depth)
            case _:
                self._unknown(node)

    def _name(self, node: ast.AST, name: str) -> None:
        if name.startswith("_") or "__" in name:
            self._refuse(node, f"no letter is called {brief(name)[1:-1]}: none begins with _ or has __ in it")

    def _index(self, node: ast.expr) -> None:
        self._count += 1
        if isinstance(node, ast.Name):
            self._name(node, node.id)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "inboard":
            if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], ast.Name):
                self._refuse(node, "inboard takes one index, inboard(k)")
            self._name(node.args[0], node.args[0].id)
        elif isinstance(node, ast.Slice | ast.Starred | ast.Lambda | ast.NamedExpr | ast.GeneratorExp | ast.ListComp):
            self._unknown(node)
        else:
            self._refuse(node, "an index is a name such as k, i or j, not a number or a sum", CHAIN)

    def _call(self, node: ast.Call, depth: int) -> None:
        if not isinstance(node.func, ast.Name):
            self._refuse(node, "only a function with a name can be called", f" {PRODUCT}")
        name = node.func.id
        self._name(node.func, name)
        if node.keywords:
            self._refuse(node, f"{name} takes no arguments by name")
        if starred := next((each for each in node.args if isinstance(each, ast.Starred)), None):
            self._unknown(starred)
        if name == "sum":
            self._sum(node, depth)
        elif name in FUNCTIONS:
            if len(node.args) not in FUNCTIONS[name]:
                check_signs(self._text, self._before, COMMA)
                self._refuse(node, f"{name} takes {' or '.join(map(str, FUNCTIONS[name]))} arguments")
            for each in node.args:
                self.check(each, depth + 1)
        elif name not in SYMBOLS:
            self._refuse(node, f"no function is called {brief(name)[1:-1]}", f" {KNOWN}")
        elif name not in CARRIERS:
            self._refuse(node, f"{name} is not a function: its index goes in brackets, {name}[k]", f" {PRODUCT}")
        else:
            if len(node.args) != 2:
                self._refuse(node, f"{name} takes two indices")
            for each in node.args:
                self._index(each)

    def _sum(self, node: ast.Call, depth: int) -> None:
        form = "a sum is written sum(… for j in outboard(k))"
        running = node.args[0] if len(node.args) == 1 else None
        if not isinstance(running, ast.GeneratorExp) or len(running.generators) != 1:
            self._refuse(node, form)
        (through,) = running.generators
        if through.ifs or through.is_async or not isinstance(through.target, ast.Name):
            self._refuse(running, f"{form}, without any condition")
        over = through.iter
        if not (isinstance(over, ast.Call) and isinstance(over.func, ast.Name) and over.func.id in NEIGHBORS):
            self._refuse(running, f"{form}; it runs over {', '.join(NEIGHBORS)}")
        if over.keywords or len(over.args) != 1:
            self._refuse(running, f"{over.func.id} takes one index")
        self._name(through.target, through.target.id)
        self._index(over.args[0])
        if any(isinstance(each, ast.GeneratorExp) for each in ast.walk(running.elt)):
            self._refuse(running, "a sum within a sum is not allowed")
        self.check(running.elt, depth + 1)
