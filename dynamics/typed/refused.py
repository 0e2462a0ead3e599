"""What no line may have, by its name, and what somebody may have meant."""

from __future__ import annotations

import ast

MEANT = {
    "−": "-", "–": "-", "·": "@", "×": "@", "ᵀ": ".T", "⊤": ".T", "′": ".T", "’": ".T", "φ": "phi", "τ": "tau",
    "ε": "eps", "ν": "nu", "α": "alpha",
}  # fmt: skip
"""What somebody may have copied from an equation, and how it is typed."""
NAMES = {
    ast.Lambda: "a function of one's own (lambda)",
    ast.ListComp: "a list comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dictionary comprehension",
    ast.GeneratorExp: "a generator outside of sum(…)",
    ast.JoinedStr: "a formatted text (f-string)",
    ast.FormattedValue: "a formatted text (f-string)",
    ast.NamedExpr: "an assignment within the line (:=)",
    ast.Starred: "a starred argument (*)",
    ast.IfExp: "a condition (if)",
    ast.BoolOp: "and / or",
    ast.Compare: "a comparison",
    ast.Await: "await",
    ast.Yield: "yield",
    ast.YieldFrom: "yield",
    ast.List: "a list",
    ast.Tuple: "a list with commas",
    ast.Set: "a set",
    ast.Dict: "a dictionary",
    ast.Slice: "a slice (:)",
    ast.Pow: "a power (**)",
    ast.FloorDiv: "a division without remainder (//)",
    ast.Mod: "a remainder (%)",
    ast.Invert: "a bitwise operator (~)",
    ast.Not: "not",
    ast.BitAnd: "a bitwise operator (&)",
    ast.BitOr: "a bitwise operator (|)",
    ast.BitXor: "a bitwise operator (^)",
    ast.LShift: "a bitwise operator (<<)",
    ast.RShift: "a bitwise operator (>>)",
}
"""Of nodes that are refused; any other is called as Python calls it."""
