"""The list of lessons, and one step of one, as HTML."""

from __future__ import annotations

from collections.abc import Sequence

from app.equations.flat import flat
from app.lessons.fault import Fault
from app.lessons.folder import replaced
from app.lessons.lesson import Choice, Curve, Lesson, Number, Order, Pointed, Task
from app.lessons.marking import Mark, raised_plainly, shown_unit
from app.lessons.progress import Progress
from app.lessons.prose import escaped, said_html
from app.lessons.staged import Staged
from app.number_text import raw_text

ABOUT = (
    "<p>Each lesson asks you to predict first, and then lets the arm answer. The page follows every step; you can "
    "leave at any time and find it as it was.</p>"
)
HOME = "<button type='button' data-go='home'>Back to where the page was</button>"
RESULTS = (
    "<section class='results' aria-label='My results'><label class='typed'><span>Name on my results</span>"
    "<input type='text' data-name autocomplete='name' maxlength='80' size='20'></label>"
    # Their data-go is what the focus comes back to when words have come; data-results is what is sent.
    "<p class='tools'>"
    "<button type='button' data-results='print' data-go='print'>My results: print, or save as PDF</button>"
    "<button type='button' data-results='csv' data-go='csv'>Save my results (CSV)</button>"
    "<button type='button' data-go='forget'>Forget my results</button></p></section>"
)
MARKS = {"right": "✓", "wrong": "✗", "none": "…"}


def list_html(
    lessons: Sequence[Lesson], progress: Progress, faults: Sequence[Fault], told: str, is_away: bool = False
) -> str:
    """Every lesson with how far one has come in it.

    Args:
        is_away: whether the page shows a lesson's moment, and was elsewhere before.
    """
    rows = "".join(_row(k, lesson, progress.count(lesson)) for k, lesson in enumerate(lessons))
    wrong = "".join(f"<li><code>{escaped(str(fault))}</code></li>" for fault in faults[:20])
    home = f"<p class='tools'>{HOME}</p>" if is_away else ""
    return (
        f"<h3 tabindex='-1'>Lessons</h3>{home}{ABOUT}<ol class='lessons'>{rows}</ol>"
        f"{RESULTS}"
        + (f"<p class='told'>{escaped(told)}</p>" if told else "")
        + (f"<div class='warning'><p>What could not be read:</p><ul class='faults'>{wrong}</ul></div>" if wrong else "")
    )


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _row(k: int, lesson: Lesson, done: int) -> str:
    count = len(lesson.steps)
    steps = _counted(count, "step")
    state = "done" if done == count else f"{done} of {steps}" if done else steps
    return (
        f"<li><button type='button' data-go='open {k}'><b>{escaped(lesson.title)}</b>"
        f"<span>{escaped(lesson.aim)}</span>"
        f"<small>{_counted(lesson.minutes, 'minute')} · {state}</small>{_instead(lesson)}"
        f"<progress max='{count}' value='{done}' aria-hidden='true'></progress></button></li>"
    )


def _instead(lesson: Lesson) -> str:
    """What one does not see in the list, since this has its folder's name."""
    gone = replaced(lesson)
    return f"<small>in the place of the packaged lesson “{escaped(gone.title)}”</small>" if gone is not None else ""


def step_html(
    lesson: Lesson, at: int, stage: Staged | None, mark: Mark | None, hints: int, is_answered: bool, is_revealed: bool,
    failed: str, links: Sequence[str] = (), has_class: bool = False, judged: int = 0,
    earlier: str = "",
) -> str:  # fmt: skip
    """One step.

    Args:
        stage: None while it is computed.
        is_answered: whether there has been an answer, so that the solution may be seen.
        links: what the links are called, of a question that points at one.
        has_class: whether there is somebody else to ask.
        judged: how many answers have been; with each the sheet is another, and comes, whatever is said of it.
        earlier: what was answered on an earlier visit, as HTML.
    """
    step, count = lesson.steps[at], len(lesson.steps)
    head = (
        "<p class='tools'><button type='button' data-go='list'>All lessons</button>"
        f"{HOME}</p>"
        f"<p class='where'>{escaped(lesson.title)} · step {at + 1} of {count}</p>"
        f"<h3 tabindex='-1'>{escaped(step.title)}</h3>" + (f"<p class='earlier'>{earlier}</p>" if earlier else "")
    )
    if failed:
        body = f"<p class='warning'>{escaped(failed)}</p>"
    elif stage is None:
        body = "<p>Computing this moment …</p>"
    else:
        body = f"<div class='prose'>{stage.text}</div>" + _question(
            lesson, stage, mark, hints, is_answered, is_revealed, links, judged
        )
        if has_class and step.question is not None:
            body += "<p class='tools'><button type='button' class='main' data-go='class'>Ask the class</button></p>"
    back = "" if at == 0 else "<button type='button' data-go='back'>Back</button>"
    last = at + 1 == count
    on = f"<button type='button' class='main' data-go='next'>{'Finish' if last else 'Next'}</button>"
    again = "<button type='button' data-go='again'>Show this moment again</button>"
    return f"{head}{body}<p class='tools foot'>{back}{on}{again}</p>"


def _question(
    lesson: Lesson,
    stage: Staged,
    mark: Mark | None,
    hints: int,
    is_answered: bool,
    is_revealed: bool,
    links: Sequence[str],
    judged: int,
) -> str:
    question, step = stage.step.question, stage.step
    if question is None:
        return ""
    shown = "".join(f"<li>{hint}</li>" for hint in stage.hints[:hints])
    left = len(stage.hints) - hints
    more = f"<button type='button' data-go='hint'>Hint ({left} left)</button>" if left and not is_revealed else ""
    # Predict first: the solution is offered once there has been an answer.
    reveal = (
        "<button type='button' data-go='reveal'>Show the solution</button>" if is_answered and not is_revealed else ""
    )
    check = "Check what the page shows" if isinstance(question, Task) else "Check my answer"
    verdict = (
        f"<p class='verdict {mark.verdict}'><b aria-hidden='true'>{MARKS[mark.verdict]}</b> {said_html(mark.words)}</p>"
        if mark is not None
        else ""
    )
    return (
        f"<form data-question='{escaped(f'{lesson.name}/{step.name}')}' data-kind='{_kind(stage)}' "
        f"data-judged='{judged}'>"
        f"<fieldset><legend>{stage.ask}</legend>{_controls(stage, is_revealed, links)}</fieldset>"
        f"<p class='tools'><button type='submit' class='main'>{check}</button>{more}{reveal}</p></form>"
        + verdict
        + (f"<ol class='hints' aria-label='Hints'>{shown}</ol>" if shown else "")
        + (f"<section class='reveal' aria-label='Solution'>{stage.reveal}</section>" if is_revealed else "")
    )


def _kind(stage: Staged) -> str:
    return {Choice: "choice", Number: "number", Pointed: "link", Curve: "curve", Order: "order", Task: "task"}[
        type(stage.step.question)  # type: ignore[index]
    ]


def _controls(stage: Staged, is_revealed: bool, links: Sequence[str]) -> str:
    match stage.step.question:
        case Choice():
            return "".join(
                f"<label class='option'><input type='radio' name='answer' value='{k}'><span>{text}</span></label>"
                for k, text in enumerate(stage.choices)
            )
        case Number() as question:
            unit = shown_unit(question)
            return (
                "<label class='typed'><span>My answer</span><input type='text' name='answer' inputmode='decimal' "
                f"autocomplete='off' maxlength='60' size='10'><span>{escaped(unit)}</span></label>"
            )
        case Pointed():
            options = "".join(f"<option value='{k}'>{escaped(name)}</option>" for k, name in enumerate(links))
            return (
                "<label class='typed'><span>Link</span><select name='answer'><option value=''>click it in the world, "
                f"or choose</option>{options}</select></label>"
            )
        case Order():
            places = stage.scattered
            said = {k: _spoken(stage.choices[k]) for k in places}
            rows = "".join(
                f"<li data-item='{k}'><span>{stage.choices[k]}</span>"
                f"<button type='button' data-move='-1' aria-label='Move up: {said[k]}'>↑</button>"
                f"<button type='button' data-move='1' aria-label='Move down: {said[k]}'>↓</button></li>"
                for k in places
            )
            return f"<ol class='order'>{rows}</ol>"
        case Curve() as question:
            times, values = stage.curve
            unit = escaped(raised_plainly(question.unit))
            true = " ".join(raw_text(float(each)).replace("−", "-") for each in values) if is_revealed else ""
            return (
                f"<div class='pad' data-least='{question.least!r}' data-most='{question.most!r}' "
                f"data-until='{float(times[-1])!r}' data-unit='{unit}' data-true='{true}'></div>"
                "<p class='note'>Draw with the mouse or a finger. By keys: ← → go along the time, ↑ ↓ change the "
                "value.</p>"
            )
        case _:
            return "<p class='note'>Do it on the page, then have it checked.</p>"


def _spoken(shown: str) -> str:
    """What an item says, without its marks."""
    return escaped(flat(shown))
