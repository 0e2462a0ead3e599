"""What one can say to ``armsweep``; each command loads what it takes once it is asked, so that help comes at once."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import click
from click.shell_completion import CompletionItem

from app.commands.ending import FAILED, Commands


class MachineName(click.ParamType):
    """A machine, as a shell completes it."""

    name = "machine"

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        from app.commands.machines import completed

        return completed(incomplete)


class Seconds(click.ParamType):
    """A time above zero."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        seconds = click.FLOAT.convert(value, param, ctx)
        if not (isfinite(seconds) and seconds > 0.0):
            self.fail(f"{value} is no time above zero.", param, ctx)
        return float(seconds)


class Numbers(click.ParamType):
    """Some numbers in a row, and what stands between them."""

    def __init__(self, name: str, kind: click.ParamType, between: str, count: int) -> None:
        self.name, self._kind, self._between, self._count = name, kind, between, count

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[Any, ...]:
        if isinstance(value, tuple):
            return value
        parts = str(value).lower().split(self._between)
        if len(parts) != self._count:
            self.fail(f"{value!r}: expected {self._count} numbers with {self._between!r} between them.", param, ctx)
        return tuple(self._kind.convert(part, param, ctx) for part in parts)


class Finite(click.FloatRange):
    """A number, and between its ends if it has any; nan is neither below nor above them."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return float(number)


class Pixels(click.IntRange):
    """Of a picture, one way: codecs take even numbers."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        count = super().convert(value, param, ctx)
        if count % 2:
            self.fail(f"{value} is odd; expected an even number of pixels.", param, ctx)
        return int(count)


PIXELS, TWO_POINTS = Numbers("WxH", Pixels(16, 4096), "x", 2), Numbers("X,Y,Z,X,Y,Z", Finite(), ",", 6)
SPEED = Finite(0, 1000, min_open=True)


def example(text: str) -> str:
    """The end of a command's help."""
    return f"\b\nExample:\n  armsweep {text}"


def of_a_machine(command: Callable[..., Any]) -> Callable[..., Any]:
    """The name of a machine, or a file, and whether it floats."""
    floating = click.option("--floating", is_flag=True, help="The robot's base floats, without gravity.")
    return click.argument("machine", type=MachineName())(floating(command))


as_json = click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
as_long = click.option("--long", "long", is_flag=True, help="One number a row (.csv and .parquet).")
FORMS = "The name says the form: .recording, .csv, .parquet, .npz, .mat, .html, a replay, or .glb, glTF."


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="armsweep", message="%(prog)s %(version)s")
def armsweep() -> None:
    """Robot dynamics as Kalman filtering and smoothing: the page, runs, checks and files.

    MACHINE is the name of a packaged machine or robot (the names complete), or the path of a URDF file or of a
    MuJoCo model.
    """


@armsweep.command(
    short_help="Serve the page.",
    epilog=example("serve --port 5006 --show"),
    context_settings={"ignore_unknown_options": True},
)
@click.option("--port", type=click.IntRange(0, 65535), default=5006, show_default=True, help="Where to listen.")
@click.option("--show", is_flag=True, help="Open the page in a browser.")
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def serve(port: int, show: bool, options: tuple[str, ...]) -> None:
    """Serve the page. All other OPTIONS are those of `panel serve`."""
    from app.commands.serving import serve

    serve([*options, "--port", str(port), *(["--show"] if show else [])])


@armsweep.command(
    short_help="Let a machine move, and write it.", epilog=example("run two_arms_and_box --seconds 2 --out run.parquet")
)
@of_a_machine
@click.option("--seconds", type=Seconds(), default=1.0, show_default=True, help="How long it moves.")
@click.option("--dt", type=Seconds(), default=1e-3, show_default=True, help="A step of the integration.")
@click.option("--out", type=click.Path(dir_okay=False), required=True, help=FORMS)
@as_long
@as_json
def run(machine: str, floating: bool, seconds: float, dt: float, out: str, long: bool, as_json: bool) -> int:
    """Let MACHINE move with its motors off, and write what happened.

    The status is 1 where it ended early; what there is of it is written.
    """
    from app.commands.report import tell
    from app.commands.running import in_words, run

    report = run(machine, floating, seconds, dt, out, long)
    tell(report, as_json, in_words)
    return 0 if report["stopped"] is None else FAILED


@armsweep.command(short_help="Whether all methods agree on a machine.", epilog=example("check arm.urdf --states 100"))
@of_a_machine
@click.option("--states", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many are drawn.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draws.")
@as_json
def check(machine: str, floating: bool, states: int, seed: int, as_json: bool) -> int:
    """Tell what MACHINE is made of, and whether all methods agree on it in random states.

    Of a file, first what is wrong in it or hardly meant, with lines and remedies.

    The status is 0 if they do, 1 if they do not or the machine cannot be.
    """
    from app.commands.checking import check, in_words
    from app.commands.report import tell

    report = check(machine, floating, states, seed)
    tell(report, as_json, in_words)
    return 0 if report["agrees"] else FAILED


@armsweep.command(short_help="How long each method takes here.", epilog=example("bench arm.urdf --seconds 5"))
@of_a_machine
@click.option("--seconds", type=Seconds(), default=2.0, show_default=True, help="For all of it, once it is compiled.")
@click.option(
    "--batch", type=click.IntRange(1, 100_000), default=1000, show_default=True, help="States solved at once."
)
@as_json
def bench(machine: str, floating: bool, seconds: float, batch: int, as_json: bool) -> int:
    """Time the compiled solver, a batch, and every method on MACHINE where it starts, in turn, on this computer.

    The status is 1 where one of them gives another answer than the solver.
    """
    from app.commands.benching import bench, in_words
    from app.commands.report import tell

    report = bench(machine, floating, seconds, batch)
    tell(report, as_json, in_words)
    return 0 if report["agrees"] else FAILED


@armsweep.command(short_help="Write a recording in another form.", epilog=example("convert run.recording run.mat"))
@click.argument("recording", type=click.Path(exists=True, dir_okay=False))
@click.argument("out", type=click.Path(dir_okay=False))
@as_long
@as_json
def convert(recording: str, out: str, long: bool, as_json: bool) -> None:
    """Write a RECORDING, a file of that form, to OUT in another: its name says which, as for `run`."""
    from app.commands.converting import convert
    from app.commands.report import tell
    from app.commands.running import in_words

    tell(convert(recording, out, long), as_json, in_words)


@armsweep.command(
    short_help="Draw a run as a film.", epilog=example("film two_arms_and_box --seconds 2 --speed 0.5 --to fall.mp4")
)
@of_a_machine
@click.option("--to", "out", type=click.Path(dir_okay=False), required=True, help="The film: .mp4 or .webm.")
@click.option("--size", type=PIXELS, default="1920x1080", show_default=True, help="Pixels; 3840x2160 is 4K.")
@click.option("--rate", type=Finite(1, 240), default=30.0, show_default=True, help="Pictures a second.")
@click.option("--speed", type=SPEED, default=1.0, show_default=True, help="0.1 is ten times slower.")
@click.option("--layers", help="What is drawn beside the bodies: names with commas between, or '' for nothing.")
@click.option("--camera", type=TWO_POINTS, help="Where it stands, and what it looks at, m.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--seconds", type=Seconds(), help="How long a machine moves; 1 unless said.")
@click.option("--dt", type=Seconds(), help="A step of its integration; 0.001 unless said.")
@click.option("--walk", type=Seconds(), help="Not the motion, but the computation at the start: seconds a half-step.")
@as_json
def film(
    machine: str, floating: bool, seconds: float | None, dt: float | None, walk: float | None, out: str,
    as_json: bool, **options: Any,
) -> int:  # fmt: skip
    """Draw a film of MACHINE as it moves with its motors off, or of a recording, a file of that form.

    By default all bodies stay in sight, with P(k) and contact forces. The status is 1 where the run ended early.
    With --walk each half-step of the computation is shown in its order, with its sentence and its lines of the text.
    """
    from app.commands.filming import film, in_words
    from app.commands.report import tell

    if walk is not None:
        from app.commands import walking

        tell(walking.film(machine, floating, seconds, dt, out, walk, **options), as_json, walking.in_words)
        return 0
    report = film(machine, floating, seconds, dt, out, **options)
    tell(report, as_json, in_words)
    return 0 if report["stopped"] is None else FAILED


@armsweep.command(
    short_help="Write a run as a page that plays.", epilog=example("replay run.recording --to run.html --show")
)
@of_a_machine
@click.option("--to", "out", type=click.Path(dir_okay=False), required=True, help="The page: .html.")
@click.option("--seconds", type=Seconds(), help="How long a machine moves; 1 unless said.")
@click.option("--dt", type=Seconds(), help="A step of its integration; 0.001 unless said.")
@click.option("--show", is_flag=True, help="Open it in a browser.")
@as_json
def replay(
    machine: str, floating: bool, seconds: float | None, dt: float | None, out: str, show: bool, as_json: bool
) -> int:
    """Write MACHINE as it moves with its motors off, or a recording, as a page that plays without a server.

    The status is 1 where the run ended early; what there is of it is written.
    """
    from app.commands.replaying import replay
    from app.commands.report import tell
    from app.commands.running import in_words

    report = replay(machine, floating, seconds, dt, out, show)
    tell(report, as_json, in_words)
    return 0 if report["stopped"] is None else FAILED


@armsweep.command(short_help="Ask a question of many states.", epilog=example("study question.toml --row 17"))
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--estimate", is_flag=True, help="Only tell how long it takes, and how much that is.")
@click.option("--look", is_flag=True, help="Tell what there is each time the rows have doubled.")
@click.option("--row", type=click.IntRange(0), help="Open a row: what was drawn, its state and torques.")
@as_json
def study(file: str, estimate: bool, look: bool, row: int | None, as_json: bool) -> None:
    """Ask the question of a TOML FILE of many states: machine, over, find, count, …, as `dyn.study` names them."""
    from app.commands import studying
    from app.commands.report import tell

    if estimate:
        tell(studying.estimate(studying.question(file)), as_json, lambda told: [studying.estimate_words(told)])
        return
    asked, found = studying.study(file, look, row)
    tell(studying.told_of(asked, found, row), as_json, studying.in_words)
