"""The recursions of ``dynamics`` and wrong versions of their functions.

One sign is flipped, one term or factor dropped, or one cross product turned round.
"""

import ast
import copy
import re
import types
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# What stands in these calls counts cells, and is no term of a recursion.
COUNTING_CALLS = {"range", "slice", "zeros", "empty", "eye", "ones", "arange", "reshape", "len"}
TABLE_CALLS = {"at", "get3", "get6", "get9", "get21", "put", "put3", "put6", "put9", "put21"}
TURNED = {"cross", "_cross"}
PACKAGE = Path(__file__).parents[2] / "dynamics"
ELSEWHERE = {"check", "compiler"}
"""Rooms of what compares, compiles or counts: no recursion's own text."""
EXAMPLES = {f"papers/{name}" for name in ("jazidie_examples", "planar_arms", "redundant_coordinates", "staggered_step")}
"""What retells an example of a paper: likewise."""
COMPILING = {"kernel", "inlined", "part"}
PAPER = r"\b(R87|R88|JR|TML|JZ)\b"
EQUATION = re.compile(rf"\S.*# .*{PAPER}")
NUMBERED = re.compile(rf"{PAPER} .*\(.*\).*:")
WITNESS = "witness/kkt"
"""No recursion, but what all of them are held against."""


def recursions() -> list[str]:
    """As room/name, in the order of the rooms."""
    files = (path for path in sorted(PACKAGE.glob("*/*.py")) if path.parent.name not in ELSEWHERE)
    names = {f"{path.parent.name}/{path.stem}": path.read_text(encoding="utf-8") for path in files}
    texts = {name: text for name, text in names.items() if name not in EXAMPLES}
    return [name for name, text in texts.items() if name == WITNESS or is_recursion(text)]


def is_recursion(text: str) -> bool:
    """Whether a function of it is compiled, a line of it ends in an equation's number, or some first words give one."""
    tree = ast.parse(text)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    decorators = {getattr(one, "id", "") for function in functions for one in function.decorator_list}
    return bool(decorators & COMPILING) or bool(
        EQUATION.search(text)
        or re.search(PAPER, ast.get_docstring(tree) or "")
        or any(NUMBERED.match(ast.get_docstring(function) or "") for function in functions)
    )


@dataclass(frozen=True)
class Mutant:
    """``code`` is the whole function with one expression ``before`` replaced by ``after``."""

    target: str
    function: str
    line: int
    before: str
    after: str
    code: types.CodeType

    @property
    def row(self) -> str:
        """How a survivor is listed; without the line's number, which moves."""
        return f"| {self.target} | {self.function} | `{self.before}` | `{self.after}` |"


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of every function of one file."""
    source = path.read_text()
    for name, function in functions(ast.parse(source)):
        bare = copy.deepcopy(function)
        bare.decorator_list = []
        module = ast.Module([ast.ImportFrom("__future__", [ast.alias("annotations")], 0), bare], [])
        for parent, field, index, new in list(places(bare)):
            holder = getattr(parent, field)
            old = holder if index is None else holder[index]
            _put(parent, field, index, new)
            code = compile(ast.fix_missing_locations(module), str(path), "exec")
            _put(parent, field, index, old)
            yield Mutant(
                "/".join(path.parts[-2:]), name, old.lineno,
                ast.unparse(old), ast.unparse(new),
                next(part for part in code.co_consts if isinstance(part, types.CodeType)),
            )  # fmt: skip


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, node
        elif isinstance(node, ast.ClassDef):
            for inner in node.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{node.name}.{inner.name}", inner


Place = tuple[ast.AST, str, int | None, ast.AST]


def places(node: ast.AST) -> Iterator[Place]:
    """Where a child of ``node``, or of what it holds, may be replaced, and by what."""
    for field, value in ast.iter_fields(node):
        if field in ("slice", "annotation", "returns", "args", "decorator_list") and not isinstance(node, ast.Call):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.Raise | ast.Assert | ast.JoinedStr):
                continue
            if isinstance(node, ast.Call) and field == "args":
                called = name_of(node)
                if called in COUNTING_CALLS or (called in TABLE_CALLS and index in (1, 2)):
                    continue
            for new in replacements(child):
                yield node, field, index, ast.copy_location(new, child)
            yield from places(child)


def replacements(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.BinOp(left, ast.Add(), right):
            yield ast.BinOp(left, ast.Sub(), right)
            yield from (left, right)
        case ast.BinOp(left, ast.Sub(), right):
            yield ast.BinOp(left, ast.Add(), right)
            yield left
            yield ast.UnaryOp(ast.USub(), right)
        case ast.BinOp(left, ast.Mult(), right):
            yield from (left, right)
        case ast.BinOp(left, ast.Div(), _):
            yield left
        case ast.UnaryOp(ast.USub(), inside):
            yield inside
        case ast.AugAssign(to, ast.Add() | ast.Sub() as operator, value):
            yield ast.AugAssign(to, ast.Sub() if isinstance(operator, ast.Add) else ast.Add(), value)
            yield ast.Pass()
        case ast.Attribute(value, "T"):
            yield value
        case ast.Call(args=[first, second, *_]):
            yield from of_call(node, first, second)


def of_call(node: ast.Call, first: ast.expr, second: ast.expr) -> Iterator[ast.AST]:
    called = name_of(node)
    if called in TURNED:
        yield ast.Call(node.func, [second, first], node.keywords)
    elif called == "add3":
        yield ast.Call(ast.Name("sub3", ast.Load()), [first, second], [])
        yield from (first, second)
    elif called == "sub3":
        yield ast.Call(ast.Name("add3", ast.Load()), [first, second], [])
        yield first
        yield ast.Call(ast.Name("sub3", ast.Load()), [ast.parse("(0.0, 0.0, 0.0)", mode="eval").body, second], [])
    elif called == "add21":
        yield from (first, second)
    elif called in ("scale3", "rotate"):
        yield second
    elif called in ("shift_inertia", "shift_mobility", "minus_outer", "minus_symmetric_outer"):
        yield first


def name_of(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _put(parent: ast.AST, field: str, index: int | None, new: ast.AST) -> None:
    if index is None:
        setattr(parent, field, new)
    else:
        getattr(parent, field)[index] = new
