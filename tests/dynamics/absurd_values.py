"""Absurd values, and whether a call refuses one as it should: by name, briefly, soon, or with a sound answer."""

import dataclasses
import datetime
import inspect
import math
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

import dynamics as dyn

LONGEST_MESSAGE = 1000
LONGEST = 20.0
"""Seconds that any call may take on a machine that others use, too."""
NAMED = (dyn.ModelError, dyn.StateError, dyn.SingularConfigurationError)


@dataclass(frozen=True)
class Call:
    """A public function with arguments that it takes."""

    function: Callable[..., Any]
    arguments: dict[str, Any]

    @property
    def annotations(self) -> dict[str, str]:
        found = inspect.signature(self.function).parameters
        return {name: str(found[name].annotation) for name in self.arguments}

    def answer(self, **others: Any) -> Any:
        return self.function(**self.arguments | others)


class UnprintableObject:
    """What cannot even be shown."""

    def __repr__(self) -> str:
        raise RuntimeError("no")


class EndlessList:
    """A list that says of itself that it is longer than any memory."""

    def __len__(self) -> int:
        return 10**18

    def __getitem__(self, index: int) -> float:
        return 0.0


def in_itself() -> list[object]:
    endless: list[object] = []
    endless.append(endless)
    return endless


ABSURD: dict[str, Callable[[], Any]] = {
    "text": lambda: "x" * 100_000, "digits": lambda: "1", "bytes": lambda: b"1", "a lone surrogate": lambda: "\ud800",
    "a null character": lambda: "\0", "bytes that can be written": lambda: bytearray(b"1"),
    "a list in itself": in_itself, "dict": lambda: {"a": "y" * 1_000_000}, "a large integer": lambda: 10**5000,
    "a billion": lambda: 10**9, "minus one": lambda: -1, "a half": lambda: 0.5, "1e308": lambda: 1e308,
    "tiny": lambda: 5e-324, "infinite": lambda: math.inf, "nan": lambda: math.nan, "none": lambda: None,
    "nones": lambda: [None, None], "nothing": list, "ragged": lambda: [[1.0], [1.0, 2.0]], "set": lambda: {1},
    "object": object, "unspeakable": UnprintableObject, "class": lambda: int, "function": lambda: len, "endless": count,
    "long": lambda: range(10**12), "boundless": EndlessList, "true": lambda: True, "complex": lambda: 1 + 2j,
    "date": lambda: datetime.datetime(2020, 1, 1), "duration": lambda: np.timedelta64(1, "s"),
    "masked": lambda: np.ma.masked, "records": lambda: np.zeros(2, dtype=[("a", "f8")]),
    "a longer float": lambda: np.longdouble("1e4000"),
}  # fmt: skip
"""By what it is; made anew each time."""
NO_NUMBERS: dict[str, Callable[[np.ndarray], Any]] = {
    "complex": lambda array: array + 1j,
    "dates": lambda array: np.zeros(array.shape, dtype="datetime64[s]"),
    "durations": lambda array: np.zeros(array.shape, dtype="timedelta64[s]"),
    "masked": lambda array: np.ma.masked_array(array, mask=np.ones(array.shape, dtype=bool)),
    "text": lambda array: array.astype(str),
    "objects": lambda array: array.astype(object),
    "nan": lambda array: np.full(array.shape, np.nan),
}
"""They have the right shape and are no numbers: where numbers are expected they must be refused."""
TOO_LARGE: dict[str, Callable[[np.ndarray], Any]] = {
    "1e308": lambda array: np.full(array.shape, 1e308), "-1e308": lambda array: np.full(array.shape, -1e308),
    "1e200": lambda array: np.full(array.shape, 1e200), "5e-324": lambda array: np.full(array.shape, 5e-324),
    "a longer float": lambda array: np.full(array.shape, np.longdouble("1e4000")),
}  # fmt: skip


def absurd(valid: object, annotation: str) -> dict[str, tuple[Any, bool]]:
    """What to put in an argument's place, by what it is, and whether nothing but a refusal will do."""
    values = {told: (make(), False) for told, make in ABSURD.items()}
    if not ("Array" in annotation or annotation == "float" or isinstance(valid, np.ndarray)):
        return values
    array = np.array(valid, dtype=np.float64) if _is_numbers(valid) else np.zeros(())
    values |= {f"{told} in its shape": (make(array), True) for told, make in NO_NUMBERS.items()}
    return values | {f"{told} in its shape": (make(array), False) for told, make in TOO_LARGE.items()}


def _is_numbers(value: object) -> bool:
    try:
        return np.asarray(value).dtype.kind in "fiu"
    except ValueError:
        return False


def faults(call: Call, values: Mapping[str, Any], must_refuse: bool = False) -> list[str]:
    """What is wrong with the way in which a call takes some values in the place of its own."""
    found, start = [], time.monotonic()
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            answer = call.answer(**values)
        except Exception as error:  # whatever it is
            by_signature = isinstance(error, TypeError) and _raised_in_call(error)
            found += [] if isinstance(error, NAMED) or by_signature else [f"a {type(error).__name__}: {error}"[:200]]
            found += [] if len(str(error)) < LONGEST_MESSAGE else [f"a message of {len(str(error))} characters"]
        else:
            found += ["taken"] if must_refuse else []
            found += [] if is_sound(answer) else ["an answer that is no number"]
    found += sorted({f"the warning {str(each.message)[:80]}" for each in told})
    return found + ([f"{time.monotonic() - start:.0f} s"] if time.monotonic() - start > LONGEST else [])


def _raised_in_call(error: Exception) -> bool:
    return traceback.extract_tb(error.__traceback__)[-1].name == "answer"


def is_sound(answer: object, depth: int = 4) -> bool:
    """Whether all numbers in an answer are finite; the limits of a model's joints need not be."""
    if isinstance(answer, np.ndarray):
        return answer.dtype.kind != "f" or bool(np.isfinite(answer).all())
    if isinstance(answer, float):
        return math.isfinite(answer)
    if depth == 0 or isinstance(answer, dyn.Robot | dyn.System | dyn.ControlLaw):
        return True
    if isinstance(answer, Mapping):
        return all(is_sound(each, depth - 1) for each in answer.values())
    if isinstance(answer, tuple | list):
        return all(is_sound(each, depth - 1) for each in answer)
    if dataclasses.is_dataclass(answer) and not isinstance(answer, type):
        return all(is_sound(getattr(answer, field.name), depth - 1) for field in dataclasses.fields(answer))
    return True
