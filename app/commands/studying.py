"""A study whose question stands in a file: TOML, with the names of ``dyn.study``."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from pathlib import Path
from typing import Any

import click
from scipy import stats

import dynamics as dyn
from app.commands.machines import machine
from app.commands.report import Told, aside, bar, is_watched, table
from app.studies.estimate import seconds_each
from app.studies.words import seconds_words, size_words

OPTIONS = (
    "count", "duration", "dt", "sample", "seed", "keep", "workers", "threads", "scheduler", "memory", "worst",
)  # fmt: skip
KNOWN = ("machine", "floating", "state", "over", "find", *OPTIONS)
COUNT = 1000
"""Draws, where the file says nothing of them: as ``dyn.study`` has it."""
HERE = ("count", "keep", "workers", "threads", "scheduler", "memory")
"""What an estimate asks in its own way."""
FEW = 100
"""Rows of which one at least has to be solved, for an estimate."""
SOME = 3
"""Values of a long list, for an estimate."""
MOST_BYTES = 1_000_000


@dataclass(frozen=True)
class Asked:
    """The question of a file.

    Attributes:
        path: of the file.
        system, state: which machine, and where it is.
        over, find: as ``dyn.study`` is told them.
        options: what else the file says of it.
    """

    path: str
    system: dyn.System
    state: dyn.State
    over: Mapping[str, Any]
    find: str | list[str]
    options: Mapping[str, Any]

    @property
    def rows(self) -> int:
        """In all: every draw, with each of what is listed."""
        points = prod(len(one) for one in self.over.values() if isinstance(one, list))
        return points * int(self.options.get("count", COUNT))

    def answered(self, **others: Any) -> dyn.Study:
        """The answer; some options otherwise than the file has them."""
        return dyn.study(self.system, self.over, self.find, state=self.state, **{**self.options, **others})


def study(path: str, looks: bool, row: int | None) -> tuple[Asked, dyn.Study]:
    """Asks the question of a file: says how long it will take, then how far it is.

    Args:
        path: of the file.
        looks: whether to tell what there is each time the rows have doubled.
        row: that is to be opened in the end; a number that no row will have is refused first.

    Raises:
        ClickException: for a file that is none, or lacks something.
        ModelError: for whatever the study itself does not know.
        StateError: for numbers that are none.
    """
    asked = question(path)
    if row is not None and row >= asked.rows:
        raise click.ClickException(f"--row is {row}; {path} asks of {asked.rows} rows, which are counted from 0.")
    if is_watched():
        aside(estimate_words(estimate(asked)))
    with bar(1, Path(path).stem) as shown:

        def progress(done: int, size: int) -> None:
            shown.length = size
            shown.update(done - shown.pos)

        def look(so_far: dyn.Study) -> None:
            for name, one in so_far.found.items():
                middle = f"median {one.quantile(0.5):.6g}"
                aside(f"{so_far.size:,} rows: {name}: {one.minimum:.6g} to {one.maximum:.6g}, {middle}")

        return asked, asked.answered(progress=progress, look=look if looks else None)


def estimate(asked: Asked) -> Told:
    """How long all rows take, and how much they are; kernels that are not compiled yet are compiled first.

    Raises:
        ModelError: for whatever the study does not know.
        StateError: for numbers that are none.
    """
    count = asked.options.get("count", COUNT)
    own = {name: value for name, value in asked.options.items() if name not in HERE}
    over = {name: _some(name, value) for name, value in asked.over.items()}

    def tried(few: int) -> dyn.Study:
        return dyn.study(asked.system, over, asked.find, few, state=asked.state, **own)

    columns = _columns(tried)
    some = prod(len(one) for one in over.values() if isinstance(one, list))
    at_once = 1 if "scheduler" in asked.options else max(asked.options.get("workers", 1), 1)
    return {
        "study": asked.path,
        "rows": asked.rows,
        "columns": columns,
        "seconds": seconds_each(partial(_tried, tried), 1, count) * asked.rows / some / at_once,
        "scheduler": asked.options.get("scheduler"),
    }


def _columns(tried: Callable[[int], dyn.Study]) -> int:
    """How many columns a study has: as a try tells of which not every row is refused.

    Raises:
        StateError: where a hundred rows are.
    """
    return len((_tried(tried, 1) or tried(FEW)).problem.names)


def _tried(tried: Callable[[int], dyn.Study], count: int) -> dyn.Study | None:
    """Some rows; None, as what a few refuse all may not."""
    try:
        return tried(count)
    except dyn.StateError:
        return None


def _some(name: str, value: object) -> object:
    """Of a list as many values as tell how long all take; of steps the one that takes what they take in the mean."""
    if not isinstance(value, list) or len(value) <= SOME:
        return value
    if name == "dt" and all(isinstance(step, int | float) and step > 0.0 for step in value):
        return [len(value) / sum(1.0 / step for step in value)]
    return [value[at * (len(value) - 1) // (SOME - 1)] for at in range(SOME)]


def estimate_words(told: Told) -> str:
    """The same in words."""
    where = " by one worker" if told["scheduler"] else ""
    size = size_words(told["rows"] * told["columns"])
    return f"{told['rows']:,} rows: {seconds_words(told['seconds'])}{where}, {size} if all are kept"


def told_of(asked: Asked, found: dyn.Study, row: int | None) -> Told:
    """What there is to tell of an answer, and of one of its rows."""
    report = {
        "study": asked.path,
        "fingerprint": found.fingerprint,
        "rows": found.size,
        "refused": found.refused,
        "refusal": found.refusal,
        "found": {name: _told(one) for name, one in found.found.items()},
    }
    if row is not None:
        report["moment"] = _moment(found, row)
    return report


def _moment(found: dyn.Study, row: int) -> Told:
    """A row, or why it cannot be opened: what is found of all the others is told even so."""
    try:
        moment = found.moment(row)
    except dyn.StateError as error:
        return {"row": row, "found": None, "drawn": {}, "joints": {}, "refused": str(error)}
    joints = zip(moment.system.joint_names, moment.state.q, moment.state.qd, moment.tau, strict=True)
    return {
        "row": moment.row,
        "found": None if moment.found is None else dict(moment.found),
        "drawn": dict(moment.drawn),
        "joints": {name: {"q": float(q), "qd": float(qd), "tau": float(tau)} for name, q, qd, tau in joints},
    }


def question(path: str) -> Asked:
    """What stands in the file.

    Raises:
        ClickException: for a file that is none, or lacks something.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise click.ClickException(f"{path} is longer than {MOST_BYTES:,} bytes.")
        said = tomllib.loads(text.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(f"{path}: {error}") from None
    unknown = sorted(set(said) - set(KNOWN))
    if unknown:
        raise click.ClickException(f"{path}: {unknown[0]!r} is unknown; expected {', '.join(KNOWN)}.")
    missing = {"floating": False, "state": {}, "count": COUNT, "workers": 1}
    kinds = {"machine": str, "over": dict, "find": str | list, "floating": bool, "state": dict, "count": int}
    for name, kind in (kinds | {"workers": int}).items():
        value = said.get(name, missing.get(name))
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise click.ClickException(f"{path}: {name} is missing, or of the wrong kind.")
    system, state = machine(said["machine"], said.get("floating", False))
    if "state" in said:
        state = _state(path, system, state, said["state"])
    over = {name: _range(path, name, value) for name, value in said["over"].items()}
    return Asked(path, system, state, over, said["find"], {name: said[name] for name in OPTIONS if name in said})


def _state(path: str, system: dyn.System, home: dyn.State, said: Mapping[str, Any]) -> dyn.State:
    """Where the machine is: of the joints that are named, elsewhere than at home."""
    if system.is_held:
        raise click.ClickException(f"{path}: state: arms that hold an object stand as they stand.")
    found = {"q": home.q.copy(), "qd": home.qd.copy()}
    for name, joints in said.items():
        if name not in found or not isinstance(joints, dict):
            raise click.ClickException(f"{path}: state: expected tables q and qd, joint by joint.")
        for joint, value in joints.items():
            if joint not in system.joint_names or not _is_number(value):
                raise click.ClickException(
                    f"{path}: state: {name}: expected numbers of {', '.join(system.joint_names)}; not {joint!r}."
                )
            found[name][system.joint_names.index(joint)] = value
    return replace(home, **found)


def _is_number(value: object) -> bool:
    """Whether it is one that a computer's numbers reach."""
    return isinstance(value, int | float) and not isinstance(value, bool) and not abs(value) > sys.float_info.max


def _range(path: str, name: str, value: object) -> object:
    """A table of two ends is a range, one that names a law a distribution; an array is a list of values."""
    if not isinstance(value, dict):
        return value
    if set(value) == {"low", "high"}:
        return value["low"], value["high"]
    law = LAWS.get(str(value.get("law")))
    numbers = {word: one for word, one in value.items() if word != "law"}
    if law is None or not all(isinstance(one, int | float) for one in numbers.values()):
        raise click.ClickException(
            f'{path}: over, {name!r}: expected {{ low = …, high = … }}, {{ law = "norm", loc = …, scale = … }}, a law '
            "with numbers as scipy.stats calls them, or an array."
        )
    try:
        return law(**numbers)
    except (TypeError, ValueError) as error:
        raise click.ClickException(f"{path}: over, {name!r}: {value['law']}: {error}") from None


LAWS: Mapping[str, Callable[..., Any]] = {
    name: law for name, law in vars(stats).items() if isinstance(law, stats.rv_continuous | stats.rv_discrete)
}
"""Of chance, as SciPy calls them."""


def _told(one: dyn.Distribution) -> Told:
    return {
        "mean": one.mean, "deviation": one.deviation, "minimum": one.minimum, "median": one.quantile(0.5),
        "maximum": one.maximum, "smallest": one.smallest, "largest": one.largest,
    }  # fmt: skip


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    yield f"{report['study']}: {report['rows']} rows, {report['refused']} refused"
    if report["refused"]:
        yield f"the first: {report['refusal']}"
    yield ""
    numbers = ("mean", "deviation", "minimum", "median", "maximum")
    rows = [(name, *(f"{one[number]:.6g}" for number in numbers)) for name, one in report["found"].items()]
    yield from table([("", *numbers), *rows])
    yield ""
    for name, one in report["found"].items():
        for end in ("smallest", "largest"):
            yield f"{end} {name}: " + ", ".join(f"{value:.6g} (row {row})" for row, value in one[end][:3])
    if "moment" in report:
        yield from _moment_in_words(report["moment"])


def _moment_in_words(moment: Told) -> Iterator[str]:
    yield ""
    if "refused" in moment:
        yield moment["refused"]
        return
    yield f"row {moment['row']}" + (": refused" if moment["found"] is None else "")
    for name, value in [*moment["drawn"].items(), *(moment["found"] or {}).items()]:
        yield f"  {name} = {value if isinstance(value, str) else format(value, '.9g')}"
    yield from table(
        [("  joint", "q", "qd", "tau")]
        + [(f"  {name}", *(f"{one[key]:.9g}" for key in ("q", "qd", "tau"))) for name, one in moment["joints"].items()]
    )
