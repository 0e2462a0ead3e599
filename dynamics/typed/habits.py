"""What is written elsewhere, in MATLAB, LaTeX or on paper, and how it is typed here."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from keyword import iskeyword

from dynamics.errors import LineError

INDEXED = r"[A-Za-z_]\w*(?:\[[^\[\]]*\]|\([^()]*\))?(?:\.T)?"
BEFORE, AFTER = re.compile(rf"(?:{INDEXED}|\d[\d.]*)$"), re.compile(rf"(?:{INDEXED}|\d[\d.]*)")
"""A factor as one calls it: with its index, its two places, its transpose."""
Signs = Sequence[tuple[str, str]]
TRANSPOSE = "a transpose is typed as .T, here {stem}.T"
PRODUCT = "A product is typed as @, or * with a number."
COMMA = ((r"(?<![\w.])\d+,\d+", "a number has a decimal point: {comma}"),)
SIGNS: Signs = (
    (r"(?<=[\w\])])\s*(\^|\*\*)\s*\{?T\b\}?", TRANSPOSE),
    (
        r"(?<=[\w\])])\s*(\^|\*\*)\s*[{(]?\s*-\s*1\b\s*[})]?",
        "an inverse is typed as inv({before}), or solve({before}, b) before b; a number divides",
    ),
    (r"\.T\s*\(", ".T is no function: it has no brackets"),
    (r"\.(dot|transpose|matmul)\b", "a product is typed as @, a transpose as .T"),
    (r"(?<![\w.])\d+,\d+(?![^(\[]*[)\]])", COMMA[0][1]),
)
UNREADABLE: Signs = (
    (r"[-+*/@]\s*$", "something is missing behind the last sign"),
    (r"(?<=[\w\])])'+", TRANSPOSE),
    (
        r"(?<=[\w\])])(?<!\bfor)(?<!\bin)(?:\s+|(?<=[)\]]))(?!for\b|in\b)(?=[A-Za-z(\d])",
        "there is no sign between {before} and {after}: a product is typed as @, or * with a number",
    ),
    *COMMA,
)
"""Looked for only where Python cannot parse the line."""

RUN_TOGETHER = re.compile(r"(?<!\w)\d[\w.]*?(?=and|else|for|i[fns]|not|or)")
"""A number right before what may be a word of Python's: its parser reads some of that and warns in the log."""


def check_numbers(text: str, start: int) -> None:
    """Looks for a number that runs into a word.

    Raises:
        LineError: for the first.
    """
    found = RUN_TOGETHER.search(text, start)
    if found is not None:
        after = AFTER.match(text[found.end() :])
        assert after is not None
        last = found.end() + after.end()
        words = f"“{found[0]}” and “{after[0]}” run together: a sign or a space belongs between them"
        raise LineError(f"{words}, at character {found.end() + 1}.", found.start(), last)


def check_signs(text: str, start: int, signs: Signs) -> None:
    """Looks for what is written elsewhere.

    Raises:
        LineError: for the first that is found; it says how it is typed.
    """
    for pattern, said in signs:
        found = re.search(pattern, text[start:])
        if found is None:
            continue
        first, last = start + found.start(), start + found.end()
        if iskeyword(text[:first].split()[-1] if text[:first].strip() else ""):
            continue
        before, after = BEFORE.search(text[:first]), AFTER.match(text[last:])
        called = before[0] if before else "(…)"
        told = said.format(
            before=called,
            stem=called.removesuffix(".T"),
            after=after[0] if after else "(…)",
            comma=text[first:last].replace(",", "."),
        )
        raise LineError(f"{told}, at character {first + 1}.", first, max(last, first + 1))


def run_together(name: str, letters: Collection[str]) -> str:
    """What is meant by a name that is made of letters, with the signs between them left out; else nothing."""
    factors = _apart(name, letters)
    if len(factors) == 1:
        return f" A transpose is typed as {factors[0]}."
    return f" A product is typed as {' @ '.join(factors)}." if factors else ""


def _apart(name: str, letters: Collection[str]) -> list[str]:
    """Factors, the last T behind a letter its transpose."""
    longest = sorted(letters, key=len, reverse=True)
    written = [(f"{letter}{mark}", f"{letter}{typed}") for letter in longest for mark, typed in (("", ""), ("T", ".T"))]
    ways: dict[int, list[str]] = {len(name): []}  # from a place to the end; from there back each is met once
    for start in reversed(range(len(name))):
        for mark, typed in written:
            rest = ways.get(start + len(mark)) if name.startswith(mark, start) else None
            if rest is not None:
                ways[start] = [typed, *rest]
                break
    return ways.get(0, [])
