"""A study whose question is a TOML file with the names of ``dyn.study``."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import click
from scipy import stats

import dynamics as dyn
from app.commands.report import Report, aside, bar, table
from app.commands.runs import machine
from app.instruments.study.process import seconds_of
from app.instruments.study.summary import seconds_words

OPTIONS = ("count", "duration", "dt", "sample", "seed", "keep", "workers", "threads", "scheduler")
"""Options passed on to ``dyn.study`` unchanged."""
KNOWN = ("machine", "floating", "state", "over", "find", *OPTIONS)
KINDS: Mapping[str, tuple[Any, object]] = {
    "machine": (str, None), "over": (dict, None), "find": (str | list, None), "floating": (bool, False),
    "state": (dict, {}), "count": (int, 1000), "workers": (int, 1),
}  # fmt: skip
"""The type of a value that is read before the study checks it, and its default; None if there is none."""
NOT_TRIED = ("count", "keep", "workers", "threads", "scheduler")  # options that an estimate does not need
MOST_BYTES = 1_000_000
NUMBERS = ("mean", "deviation", "minimum", "median", "maximum")


@dataclass(frozen=True)
class Question:
    """The question in a file, as arguments of ``dyn.study``."""

    path: str  # of the file
    system: dyn.System
    state: dyn.State
    over: Mapping[str, Any]
    find: str | list[str]
    options: Mapping[str, Any]  # its other arguments

    @property
    def rows(self) -> int:
        """Every draw with every combination of the listed values."""
        lists = [one for one in self.over.values() if isinstance(one, list)]
        return int(self.options.get("count", 1000)) * prod(map(len, lists))


def read_question(path: str) -> Question:
    """The question in a file.

    Raises:
        ClickException: for a file that cannot be read, is not TOML, or lacks a value.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
        if len(text) > MOST_BYTES:
            raise click.ClickException(f"{path} is longer than {MOST_BYTES:,} bytes.")
        values = tomllib.loads(text.decode())
    except (OSError, ValueError, RecursionError) as error:
        raise click.ClickException(f"{path}: {error}") from None
    unknown = sorted(set(values) - set(KNOWN))
    if unknown:
        raise click.ClickException(f"{path}: {unknown[0]!r} is unknown; expected {', '.join(KNOWN)}.")
    for name, (kind, default) in KINDS.items():
        value = values.get(name, default)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise click.ClickException(f"{path}: {name} is missing, or of the wrong kind.")
    system, state = machine(values["machine"], values.get("floating", False))
    if "state" in values:
        state = _state(path, system, state, values["state"])
    over = {name: _range(path, name, value) for name, value in values["over"].items()}
    return Question(
        path, system, state, over, values["find"], {name: values[name] for name in OPTIONS if name in values}
    )


def _state(path: str, system: dyn.System, home: dyn.State, tables: Mapping[str, Any]) -> dyn.State:
    """The home posture with the joints that the file names moved."""
    if system.is_held:
        raise click.ClickException(f"{path}: state: arms that hold an object keep their posture.")
    found = {}
    for name, joints in tables.items():
        is_table = isinstance(joints, dict) and not any(isinstance(value, bool) for value in joints.values())
        if name not in ("q", "qd") or not is_table:
            raise click.ClickException(f"{path}: state: expected tables q and qd, joint by joint.")
        found[name] = system.to_joint_vector(system.from_joint_vector(getattr(home, name)) | joints)
    return replace(home, **found)


def _range(path: str, name: str, value: object) -> object:
    """A table of two ends is a range, one that names a law of SciPy a distribution; an array is a list of values."""
    if not isinstance(value, dict):
        return value
    if set(value) == {"low", "high"}:
        return value["low"], value["high"]
    law: Any = getattr(stats, str(value.get("law")), None)
    numbers = {word: one for word, one in value.items() if word != "law"}
    is_law = isinstance(law, stats.rv_continuous | stats.rv_discrete)
    if not is_law or not all(isinstance(one, int | float) for one in numbers.values()):
        raise click.ClickException(
            f'{path}: over, {name!r}: expected {{ low = …, high = … }}, {{ law = "norm", loc = …, scale = … }}, a law '
            "with numbers as scipy.stats calls them, or an array."
        )
    try:
        return law(**numbers)
    except (TypeError, ValueError) as error:
        raise click.ClickException(f"{path}: over, {name!r}: {value['law']}: {error}") from None


def estimate(question: Question) -> Report:
    """Time for all rows, from a trial run with a few. Kernels are compiled first.

    Raises:
        ModelError, StateError: as ``dyn.study``.
    """
    options = {name: value for name, value in question.options.items() if name not in NOT_TRIED}

    def few(over: Mapping[str, Any], count: int) -> dyn.Study:
        return dyn.study(question.system, over, question.find, count, state=question.state, **options)

    scheduler = question.options.get("scheduler")
    workers = 1 if scheduler else max(question.options.get("workers", 1), 1)
    seconds = seconds_of(few, question.over, question.options.get("count", 1000)) / workers
    return {"study": question.path, "rows": question.rows, "seconds": seconds, "scheduler": scheduler}


def estimate_in_words(report: Report) -> Iterator[str]:
    by = " by one worker" if report["scheduler"] else ""
    yield f"{report['rows']:,} rows: {seconds_words(report['seconds'])}{by}"


def study(path: str, look: bool, row: int | None) -> Report:
    """The answer to the question in a file. A terminal first shows an estimate, then the progress.

    Args:
        path: of the file.
        look: whether to print interim results each time the number of rows has doubled.
        row: of the answer, to report its moment too.

    Raises:
        ClickException: as ``read_question``, and for a row that does not exist.
        ModelError, StateError: as ``dyn.study``.
    """
    question = read_question(path)
    if row is not None and row >= question.rows:
        raise click.ClickException(f"--row is {row}; {path} has {question.rows} rows, which are counted from 0.")
    if sys.stderr.isatty():
        aside(*estimate_in_words(estimate(question)))
    with bar(path) as advance:

        def interim(found: dyn.Study) -> None:
            for name, one in found.found.items():
                median = f"median {one.quantile(0.5):.6g}"
                aside(f"{found.size:,} rows: {name}: {one.minimum:.6g} to {one.maximum:.6g}, {median}")

        found = dyn.study(
            question.system, question.over, question.find, state=question.state, progress=advance,
            look=interim if look else None, **question.options,
        )  # fmt: skip
    report: Report = {"study": path, "fingerprint": found.fingerprint, "rows": found.size}
    report |= {"refused": found.refused, "refusal": found.refusal}
    report["found"] = {
        name: {
            **{number: one.quantile(0.5) if number == "median" else getattr(one, number) for number in NUMBERS},
            "smallest": one.smallest, "largest": one.largest,
        }
        for name, one in found.found.items()
    }  # fmt: skip
    return report if row is None else report | {"moment": _moment(found, row)}


def _moment(found: dyn.Study, row: int) -> Report:
    """The drawn values and the results of a row."""
    try:
        moment = found.moment(row)
    except dyn.StateError as error:  # the rest of the report is printed anyway
        return {"row": row, "found": None, "drawn": {}, "joints": {}, "refused": str(error)}
    joints = zip(moment.system.joint_names, moment.state.q, moment.state.qd, moment.tau, strict=True)
    return {
        "row": moment.row,
        "found": None if moment.found is None else dict(moment.found),
        "drawn": dict(moment.drawn),
        "joints": {name: {"q": float(q), "qd": float(qd), "tau": float(tau)} for name, q, qd, tau in joints},
    }


def in_words(report: Report) -> Iterator[str]:
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
    joints = [
        (f"  {name}", *(f"{one[key]:.9g}" for key in ("q", "qd", "tau"))) for name, one in moment["joints"].items()
    ]
    yield from table([("  joint", "q", "qd", "tau"), *joints])
