"""A study whose question stands in a file: TOML, with the names of ``dyn.study``."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from typing import Any

import click
from scipy import stats

import dynamics as dyn
from app.commands.machines import machine
from app.commands.report import Told, aside, bar, is_watched, table
from app.studies.process import seconds_of
from app.studies.words import seconds_words

OPTIONS = ("count", "duration", "dt", "sample", "seed", "keep", "workers", "threads", "scheduler")
KNOWN = ("machine", "floating", "state", "over", "find", *OPTIONS)
KINDS: Mapping[str, tuple[Any, object]] = {
    "machine": (str, None), "over": (dict, None), "find": (str | list, None), "floating": (bool, False),
    "state": (dict, {}), "count": (int, 1000), "workers": (int, 1),
}  # fmt: skip
"""Of what has to be known before the study looks at it: its kind, and what it is where the file says nothing."""
HERE = ("count", "keep", "workers", "threads", "scheduler")
"""What an estimate asks in its own way."""
MOST_BYTES = 1_000_000
NUMBERS = ("mean", "deviation", "minimum", "median", "maximum")


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
        return int(self.options.get("count", 1000)) * prod(
            len(one) for one in self.over.values() if isinstance(one, list)
        )


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

        told: dict[str, Any] = {"progress": progress, "look": look if looks else None}
        return asked, dyn.study(asked.system, asked.over, asked.find, state=asked.state, **asked.options, **told)


def estimate(asked: Asked) -> Told:
    """How long all rows take; kernels that are not compiled yet are compiled first.

    Raises:
        ModelError: for whatever the study does not know.
        StateError: for numbers that are none.
    """
    own = {name: value for name, value in asked.options.items() if name not in HERE}

    def tried(over: Mapping[str, Any], few: int) -> dyn.Study:
        return dyn.study(asked.system, over, asked.find, few, state=asked.state, **own)

    scheduler = asked.options.get("scheduler")
    workers = 1 if scheduler else max(asked.options.get("workers", 1), 1)
    seconds = seconds_of(tried, asked.over, asked.options.get("count", 1000)) / workers
    return {"study": asked.path, "rows": asked.rows, "seconds": seconds, "scheduler": scheduler}


def estimate_words(told: Told) -> str:
    """The same in words."""
    return f"{told['rows']:,} rows: {seconds_words(told['seconds'])}{' by one worker' if told['scheduler'] else ''}"


def told_of(asked: Asked, found: dyn.Study, row: int | None) -> Told:
    """What there is to tell of an answer, and of one of its rows."""
    report: Told = {"study": asked.path, "fingerprint": found.fingerprint, "rows": found.size}
    report |= {"refused": found.refused, "refusal": found.refusal}
    report["found"] = {
        name: {
            **{number: one.quantile(0.5) if number == "median" else getattr(one, number) for number in NUMBERS},
            "smallest": one.smallest, "largest": one.largest,
        }
        for name, one in found.found.items()
    }  # fmt: skip
    if row is None:
        return report
    try:
        moment = found.moment(row)
    except dyn.StateError as error:  # what is found of all the others is told even so
        return report | {"moment": {"row": row, "found": None, "drawn": {}, "joints": {}, "refused": str(error)}}
    joints = zip(moment.system.joint_names, moment.state.q, moment.state.qd, moment.tau, strict=True)
    report["moment"] = {
        "row": moment.row,
        "found": None if moment.found is None else dict(moment.found),
        "drawn": dict(moment.drawn),
        "joints": {name: {"q": float(q), "qd": float(qd), "tau": float(tau)} for name, q, qd, tau in joints},
    }
    return report


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
    for name, (kind, missing) in KINDS.items():
        value = said.get(name, missing)
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
    found = {}
    for name, joints in said.items():
        is_table = isinstance(joints, dict) and not any(isinstance(value, bool) for value in joints.values())
        if name not in ("q", "qd") or not is_table:
            raise click.ClickException(f"{path}: state: expected tables q and qd, joint by joint.")
        found[name] = system.to_joint_vector(system.from_joint_vector(getattr(home, name)) | joints)
    return replace(home, **found)


def _range(path: str, name: str, value: object) -> object:
    """A table of two ends is a range, one that names a law a distribution; an array is a list of values."""
    if not isinstance(value, dict):
        return value
    if set(value) == {"low", "high"}:
        return value["low"], value["high"]
    law: Callable[..., Any] | None = getattr(stats, str(value.get("law")), None)
    numbers = {word: one for word, one in value.items() if word != "law"}
    is_law = isinstance(law, stats.rv_continuous | stats.rv_discrete)
    if law is None or not is_law or not all(isinstance(one, int | float) for one in numbers.values()):
        raise click.ClickException(
            f'{path}: over, {name!r}: expected {{ low = …, high = … }}, {{ law = "norm", loc = …, scale = … }}, a law '
            "with numbers as scipy.stats calls them, or an array."
        )
    try:
        return law(**numbers)
    except (TypeError, ValueError) as error:
        raise click.ClickException(f"{path}: over, {name!r}: {value['law']}: {error}") from None


def in_words(report: Told) -> Iterator[str]:
    """The same for a person."""
    yield f"{report['study']}: {report['rows']} rows, {report['refused']} refused"
    if report["refused"]:
        yield f"the first: {report['refusal']}"
    yield ""
    rows = [(name, *(f"{one[number]:.6g}" for number in NUMBERS)) for name, one in report["found"].items()]
    yield from table([("", *NUMBERS), *rows])
    yield ""
    for name, one in report["found"].items():
        for end in ("smallest", "largest"):
            yield f"{end} {name}: " + ", ".join(f"{value:.6g} (row {row})" for row, value in one[end][:3])
    if "moment" not in report:
        return
    moment = report["moment"]
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
