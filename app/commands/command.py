"""The commands of ``armsweep`` and their options. Each imports what it needs when it runs, so that help is fast."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Callable
from math import isfinite
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from app.commands.report import FAILED, Commands, print_report

PAGE = Path(__file__).resolve().parents[1]


def completed(context: click.Context, param: click.Parameter, begun: str) -> list[CompletionItem]:
    """Completions for a shell: machines whose name begins with the text, or files."""
    from app.commands.runs import machine_names

    found = [CompletionItem(name) for name in machine_names() if name.startswith(begun)]
    return found or [CompletionItem(begun, type="file")]


class FiniteRange(click.FloatRange):
    """A finite number in a range; click's own type would accept NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = super().convert(value, param, ctx)
        if not isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return float(number)


def pixels(text: str) -> tuple[int, ...]:
    """The width and height of a picture; codecs require even numbers."""
    size = tuple(map(int, text.lower().split("x")))
    if len(size) != 2 or any(count % 2 or not 16 <= count <= 4096 for count in size):
        raise click.BadParameter(f"{text!r}: expected two even numbers, 16 to 4096, with 'x' between them.")
    return size


def camera(text: str) -> tuple[float, ...]:
    """The position of a camera, and the point at which it looks."""
    places = tuple(map(float, text.split(",")))
    if len(places) != 6 or not all(map(isfinite, places)):
        raise click.BadParameter(f"{text!r}: expected six finite numbers with ',' between them.")
    return places


ABOVE_ZERO = FiniteRange(0, min_open=True)
FORMS = "The suffix sets the format: .recording, .csv, .parquet, .npz, .mat, .html (a replay) or .glb (glTF)."
json_option = click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")


def machine_argument(command: Callable[..., Any]) -> Callable[..., Any]:
    """The name or file of a machine, and whether it floats."""
    floating = click.option("--floating", is_flag=True, help="The robot's base floats, without gravity.")
    return click.argument("machine", shell_complete=completed)(floating(command))


def of_a_run(command: Callable[..., Any]) -> Callable[..., Any]:
    """A machine or a recording, with the duration and step of a machine's motion."""
    step = click.option("--dt", type=ABOVE_ZERO, help="Integration step, s; 0.001 unless given.")
    seconds = click.option("--seconds", type=ABOVE_ZERO, help="How long a machine moves; 1 unless given.")
    return machine_argument(seconds(step(command)))


def written(as_json: bool, machine: str, **options: Any) -> int:
    """Write a run as ``runs.run`` does, print its report, and return its status."""
    from app.commands import runs

    report = runs.run(machine, **options)
    print_report(report, as_json, runs.run_in_words)
    return 0 if report["stopped"] is None else FAILED


def example(text: str) -> str:
    """The end of a command's help."""
    return f"\b\nExample:\n  armsweep {text}"


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="armsweep", message="%(prog)s %(version)s")
def armsweep() -> None:
    """Robot dynamics as Kalman filtering and smoothing: the page, runs, checks and files.

    MACHINE is the name of a packaged machine or robot (a shell completes it), or the path of a URDF file, of a MuJoCo
    model, or, where a run is written, of a recording.
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
    import panel.command

    sys.argv = ["panel", "serve", str(PAGE), *options, "--port", str(port), *(["--show"] if show else [])]
    panel.command.main()


@armsweep.command(
    short_help="Write a run or a recording to a file.",
    epilog=example("run two_arms_and_box --seconds 2 --out run.parquet"),
)
@of_a_run
@click.option("--out", type=click.Path(dir_okay=False), required=True, help=FORMS)
@json_option
def run(as_json: bool, **options: Any) -> int:
    """Write MACHINE as it moves with its motors off, or a recording, in the form that the file's name says.

    The status is 1 if the run ended early; what there is of it is written.
    """
    return written(as_json, **options)


@armsweep.command(
    short_help="Write a run as a page that plays.", epilog=example("replay run.recording --to run.html --show")
)
@of_a_run
@click.option("--to", "out", type=click.Path(dir_okay=False), required=True, help="The page: .html.")
@click.option("--show", is_flag=True, help="Open it in a browser.")
@json_option
def replay(show: bool, as_json: bool, **options: Any) -> int:
    """Write MACHINE as it moves with its motors off, or a recording, as a page that plays without a server.

    The status is 1 if the run ended early; what there is of it is written.
    """
    status = written(as_json, forms=(".html",), **options)
    if show:
        webbrowser.open(Path(options["out"]).resolve().as_uri())
    return status


@armsweep.command(
    short_help="Draw a run as a film.", epilog=example("film two_arms_and_box --seconds 2 --speed 0.5 --to fall.mp4")
)
@of_a_run
@click.option("--to", "out", type=click.Path(dir_okay=False), required=True, help="The film: .mp4 or .webm.")
@click.option(
    "--size", type=pixels, metavar="WxH", default="1920x1080", show_default=True, help="Pixels; 3840x2160 is 4K."
)
@click.option("--rate", type=FiniteRange(1, 240), default=30.0, show_default=True, help="Pictures per second.")
@click.option(
    "--speed", type=FiniteRange(0, 1000, min_open=True), default=1.0, show_default=True, help="0.1 is ten times slower."
)
@click.option("--layers", help="What is drawn besides the bodies: names separated by commas, or '' for nothing.")
@click.option("--camera", type=camera, metavar="X,Y,Z,X,Y,Z", help="Where it stands and where it looks, m.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", show_default=True)
@click.option("--walk", type=ABOVE_ZERO, help="The computation at the start, not the motion: seconds per half-step.")
@json_option
def film(machine: str, as_json: bool, **options: Any) -> int:
    """Draw a film of MACHINE as it moves with its motors off, or of a recording.

    By default all bodies stay in sight, with P(k) and contact forces. The status is 1 if the run ended early.
    With --walk it shows each half-step of the computation in order, with its sentence and its lines of the text.
    """
    from app.commands import runs

    report = runs.film(machine, **options)
    print_report(report, as_json, runs.film_in_words)
    return 0 if report["stopped"] is None else FAILED


@armsweep.command(
    short_help="Check that all methods agree on a machine.", epilog=example("check arm.urdf --states 100")
)
@machine_argument
@click.option(
    "--states", type=click.IntRange(1, 100_000), help="How many are drawn; 20 unless given, fewer beyond 30 joints."
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Of the draws.")
@json_option
def check(machine: str, floating: bool, states: int | None, seed: int, as_json: bool) -> int:
    """Print what MACHINE is made of, and whether all methods agree on it in random states.

    For a file, first print what is wrong or doubtful in it, with lines and remedies.

    The status is 0 if the methods agree, 1 if they do not or the file is refused.
    """
    from app.commands import check as checks

    report = checks.check(machine, floating, states, seed)
    print_report(report, as_json, checks.in_words)
    return 0 if report["agrees"] else FAILED


@armsweep.command(short_help="Ask a question of many states.", epilog=example("study question.toml --row 17"))
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@click.option("--estimate", is_flag=True, help="Only print how many rows there are, and how long they take.")
@click.option("--look", is_flag=True, help="Print interim results each time the rows have doubled.")
@click.option("--row", type=click.IntRange(0), help="Open a row: what was drawn, its state and torques.")
@json_option
def study(file: str, estimate: bool, look: bool, row: int | None, as_json: bool) -> None:
    """Ask the question in a TOML FILE of many states: machine, over, find, count, …, as `dyn.study` names them."""
    from app.commands import study as studies

    if estimate:
        print_report(studies.estimate(studies.read_question(file)), as_json, studies.estimate_in_words)
    else:
        print_report(studies.study(file, look, row), as_json, studies.in_words)
