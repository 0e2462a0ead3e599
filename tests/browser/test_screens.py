"""The page on every screen: nothing clipped, covered or out of reach; projector mode, the user's theme and rest."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

import dynamics as dyn
from app import binding
from app.state import walk
from app.walker.map_layout import map_of
from tests.browser.conftest import visit, watch
from tests.browser.screens import AT_REST, DRAWN, SIZES, TABS, ZOOMED, faults, fill
from tests.browser.test_page import PATIENCE, shown_time, wait_until
from tests.dynamics.systems import legged_file

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
FOCUSED = """() => {
    let here = document.activeElement
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement
    return here?.getAttribute('aria-label') || here?.textContent || ''
}"""

SIZES_OF = f"""() => {{
    const found = {{}}
    {DRAWN}
    drawn(document, node => {{
        if (!node.checkVisibility() || node.closest('style, script, noscript, math, sup, sub, table')) return
        const zoom = node.currentCSSZoom ?? 1
        const texts = [...node.childNodes].filter(child => child.nodeType === 3)
        const words = texts.map(child => child.data.trim()).join('')
        const {{width, height}} = node.getBoundingClientRect()
        const size = parseFloat(getComputedStyle(node).fontSize)
        if (words.length > 1 && width > 1 && size > 1 && !node.closest('svg')) found[`"${{words}}"`] = zoom * size
        const name = node.getAttribute('aria-label') || words
        const isNamed = name && node.matches('button') // else as high as its parts
        if ((isNamed || node.matches('input[type=checkbox], .MuiSwitch-root')) && height > 1) {{
            found[`${{node.localName}} ${{name}}`] = height
        }}
    }})
    return found
}}"""
"""Height of what is written, by its words, and of what is pressed, by its name."""


@pytest.fixture
def resized(lead: Callable[[str], Page]) -> Iterator[Callable[[str], Page]]:
    """As ``lead``; the page has its usual size again afterwards."""
    pages: list[Page] = []

    def led(query: str) -> Page:
        pages.append(lead(query))
        wait_until(pages[-1], lambda: shown_time(pages[-1]) == 0.3)
        return pages[-1]

    yield led
    for page in pages:
        page.set_viewport_size({"width": 1280, "height": 800})


def open_tab(page: Page, name: str) -> None:
    tab = page.get_by_role("tablist", name="Instruments").get_by_role("tab", name=name, exact=True)
    tab.evaluate("tab => tab.click()")
    wait_until(page, lambda: tab.get_attribute("aria-selected") == "true")
    fill(page, name)


@pytest.mark.timeout(900)  # fourteen tabs, each at two sizes
def test_nothing_is_clipped_covered_or_out_of_reach(resized: Callable[[str], Page]) -> None:
    page = resized("preset=two_arms_and_box&t=0.3&play=0")
    wrong = []
    for tab in TABS:
        open_tab(page, tab)
        wrong += [f"{tab}, {line}" for size in (SIZES[0], ZOOMED[0]) for line in faults(page, *size)]
    open_tab(page, "Walk")
    wrong += [line for size in (*SIZES[1:4], SIZES[-1], ZOOMED[-1]) for line in faults(page, *size)]
    few = resized("preset=puma560&t=0.3&play=0")  # of few joints a table has room for digits
    open_tab(few, "Estimation")
    wrong += [f"few joints, Estimation, {line}" for line in faults(few, *SIZES[0])]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("tab", ["Methods", "Two filters"])
def test_two_arms_in_flight_have_room_for_their_names_and_links(resized: Callable[[str], Page], tab: str) -> None:
    """The longest motion's name in the bar, a map of thirteen links on a phone, and the rail's longest name."""
    page = resized("preset=two_arm_flyer&t=0.3&play=0")
    open_tab(page, tab)
    beside = page.locator(".rail .item:visible .name").evaluate_all(
        "names => names.map(name => name.closest('.item').getBoundingClientRect().right"
        " - name.getBoundingClientRect().right)"
    )
    assert beside
    assert min(beside) > 2.5
    wrong = [line for size in (SIZES[0], (1280, 800), ZOOMED[0]) for line in faults(page, *size)]
    assert not wrong, "\n".join(wrong)


def test_four_legs_that_meet_at_the_base_are_all_named(resized: Callable[[str], Page]) -> None:
    """Of the sums at a body of several limbs, on a phone and at 200 %: no name ends in dots, each can be pressed."""
    page = resized("preset=solo12&t=0.3&play=0")
    open_tab(page, "Two filters")
    wrong = [line for size in (SIZES[0], ZOOMED[0]) for line in faults(page, *size)]
    assert not wrong, "\n".join(wrong)


@pytest.mark.timeout(900)
def test_every_word_and_button_grows_with_the_screen(resized: Callable[[str], Page]) -> None:
    """On four thousand pixels 1.8 times; what a theme or a library gives in pixels, too."""
    page = resized("preset=two_arms_and_box&t=0.3&play=0")
    sizes: list[dict[str, dict[str, float]]] = []
    for width, height in ((1280, 800), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        sizes.append({})
        for tab in TABS:
            open_tab(page, tab)
            expect(page.get_by_text("Opening …").locator("visible=true")).to_have_count(0, timeout=30_000)
            page.evaluate(AT_REST)
            sizes[-1][tab] = page.evaluate(SIZES_OF)
    stayed = []
    for tab in TABS:
        before, after = (of[tab] for of in sizes)
        same = sorted(before.keys() & after.keys())
        assert len(same) > 20
        stayed += [f"{tab}, {name}: {before[name]:.1f} and {after[name]:.1f} px" for name in same
                   if after[name] < 1.4 * before[name]]  # fmt: skip
    assert not stayed, "\n".join(stayed)


def test_sheets_over_the_page_and_the_legend_are_not_scrolled_sideways_nor_by_a_pixel(
    resized: Callable[[str], Page],
) -> None:
    page = resized("preset=puma560&t=0.3&play=0")
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales")
    page.keyboard.press("ArrowRight")
    wait_until(
        page, lambda: notes.evaluate("notes => new Set([...notes.children].map(one => one.offsetTop)).size") == 2
    )
    assert notes.evaluate("notes => notes.scrollHeight - notes.clientHeight") <= 0
    for name in ("Keys, mouse and papers (?)", "Present: others follow this page"):
        page.set_viewport_size({"width": 1280, "height": 800})
        page.get_by_role("button", name=name).click()
        sheet = page.get_by_role("dialog")
        sheet.wait_for(timeout=PATIENCE)
        for width, height in ((1280, 800), (390, 844)):
            page.set_viewport_size({"width": width, "height": height})
            page.evaluate(AT_REST)
            beyond = sheet.evaluate(
                "sheet => [sheet, ...sheet.querySelectorAll('*')].map(part => part.scrollWidth - part.offsetWidth)"
            )
            assert max(beyond) <= 0, (name, width)
            box = page.get_by_role("button", name="close", exact=True).bounding_box()
            assert box is not None
            assert box["x"] + box["width"] <= width
        page.keyboard.press("Escape")
        sheet.wait_for(state="detached", timeout=PATIENCE)
    page.set_viewport_size({"width": 1280, "height": 800})
    page.get_by_role("button", name="Stop presenting").click()


def test_the_longest_legend_is_read_without_scrolling(resized: Callable[[str], Page]) -> None:
    """That of the dual filter, where the momentum is none of zero."""
    page = resized("preset=free_flyer&t=0.3&play=0&walked=1&stage=dual_filter&half=1&link=2")
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales")
    expect(notes).to_contain_text("XYZ at rest", timeout=PATIENCE)
    for size in ((1280, 800), (1024, 768), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(AT_REST)
        assert notes.evaluate("notes => notes.scrollHeight - notes.clientHeight") <= 0, (size, notes.inner_text())
    page.set_viewport_size({"width": 1280, "height": 800})
    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    for width, height in ((1280, 720), (1920, 1080), (1024, 768), (820, 1180), (390, 844), (844, 390)):
        page.set_viewport_size({"width": width, "height": height})
        page.mouse.move(200.0 + width % 7, 300.0)  # with the controls, which take some of its room
        page.evaluate(AT_REST)
        assert notes.evaluate("notes => notes.scrollHeight - notes.clientHeight") <= 0, (width, notes.inner_text())


def test_the_legend_of_held_arms_is_read_without_scrolling(resized: Callable[[str], Page]) -> None:
    """While it stands still, with the filter's step beside the forces at the grips."""
    page = resized("preset=four_arms_and_box&t=0.3&play=0")
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales")
    expect(notes).to_contain_text("direction freed", timeout=PATIENCE)
    for size in ((1280, 800), (1440, 900), (1024, 768), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(AT_REST)
        assert notes.evaluate("notes => notes.scrollHeight - notes.clientHeight") <= 0, (size, notes.inner_text())


def test_what_went_wrong_leaves_the_machine_in_sight(page: Page, serve: Callable[[str], str]) -> None:
    """It stays until its cross is pressed: the machine stands below it, and on a phone it is as low as its words."""
    visit(page, f"{serve('app')}?preset=point_contact&torques=nonsense")
    told = page.get_by_role("alert").filter(has_text="This link cannot be followed")
    told.wait_for(timeout=PATIENCE)
    page.get_by_role("button", name="Pause (space)").click()
    try:
        for size in ((1280, 800), (390, 844), (640, 400), (820, 1180)):
            wrong = faults(page, *size)
            word = told.bounding_box()
            world = page.locator("canvas[role=application]").bounding_box()
            assert word
            assert world
            under = [
                [round(word["x"] + across * word["width"]), round(word["y"] + down * word["height"])]
                for across in (0.1, 0.3, 0.5, 0.7, 0.9)
                for down in (0.1, 0.5, 0.9)
            ]
            assert page.evaluate(HITS, under) == [], size
            assert word["y"] + word["height"] <= world["y"] + 0.7 * world["height"], size
            assert not wrong, "\n".join(wrong)
    finally:
        page.set_viewport_size({"width": 1280, "height": 800})
    told.get_by_role("button", name="Close").click()
    expect(told).to_be_hidden(timeout=PATIENCE)
    room = page.locator(".room")  # of the machine: all of the picture, where nothing is said
    wait_until(page, lambda: room.evaluate("room => room.offsetTop === 0"))
    assert room.evaluate("room => room.offsetHeight - room.offsetParent.offsetHeight") == 0


def test_the_digits_of_a_matrix_are_read_on_a_narrow_page(resized: Callable[[str], Page]) -> None:
    page = resized("preset=two_arms_and_box&t=0.3&play=0&walked=1&stage=filter&half=1&link=2&sheet=Matrices")
    table = page.locator("table.matrix.square:visible").first
    for size in ((1280, 800), (1024, 768), (820, 1180), (390, 844)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(AT_REST)
        assert table.evaluate("table => parseFloat(getComputedStyle(table).fontSize)") >= 10.0, size
        room = "table => table.closest('.sheet').clientWidth - table.offsetLeft - table.offsetWidth"
        assert table.evaluate(room) >= 0, size


def test_a_phone_has_the_world_and_one_sheet_with_play_in_reach(resized: Callable[[str], Page]) -> None:
    page = resized("preset=two_arms_and_box&t=0.3&play=0")
    page.set_viewport_size({"width": 390, "height": 844})
    walk, plots = page.get_by_role("tab", name="Walk", exact=True), page.get_by_role("tablist", name="Sets of plots")
    play, scrubber = page.get_by_role("button", name="Play (space)"), page.get_by_role("slider", name="Time")
    switch = page.get_by_role("group", name="What stands beside the world")
    page.evaluate(AT_REST)
    stood = switch.bounding_box()
    for choice, seen in (("Plots", (False, True)), ("World", (False, False)), ("Instruments", (True, False))):
        page.get_by_role("button", name=choice, exact=True).click()
        for part, is_seen in zip((walk, plots), seen, strict=True):
            expect(part).to_be_visible(visible=is_seen, timeout=PATIENCE)
        expect(play).to_be_in_viewport()
        expect(scrubber).to_be_in_viewport()
        page.evaluate(AT_REST)
        assert switch.bounding_box() == stood  # it does not leave the finger that presses it
        wrong = faults(page, 640, 400)
        if choice == "World":  # alone it has a low window's whole width
            picture = page.get_by_label("3D view of the system").bounding_box()
            assert picture
            assert picture["width"] > 630
        wrong += faults(page, 390, 844)
        assert not wrong, "\n".join(wrong)
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales")
    assert notes.evaluate("node => node.scrollHeight <= node.clientHeight + 1"), notes.inner_text()  # all are in sight
    assert all(symbol in notes.inner_text() for symbol in ("P(k)", "P⁺(k)", "P→P⁺"))
    page.get_by_role("button", name="Plots", exact=True).click()
    expect(page.locator(".cell:visible .readings dd").first).to_be_visible()
    quantities = page.get_by_role("button", name="Choose quantities to plot")
    quantities.click()  # the list and the plots: neither leaves the other no room
    expect(page.get_by_placeholder("Search")).to_be_visible(timeout=PATIENCE)
    page.get_by_role("listbox", name="Quantities").get_by_role("option").first.click()
    expect(page.get_by_role("link", name="In the reference")).to_be_visible(timeout=PATIENCE)
    wrong = faults(page, 820, 1180) + faults(page, 390, 844)
    quantities.click()
    assert not wrong, "\n".join(wrong)
    page.get_by_role("button", name="World", exact=True).click()
    badge = page.locator(".badge").first
    sign, pill = (badge.locator(part).bounding_box() for part in (".MuiChip-icon", ".MuiChip-root"))
    assert sign is not None
    assert pill is not None
    for at, long in (("x", "width"), ("y", "height")):
        assert pill[at] <= sign[at] < sign[at] + sign[long] <= pill[at] + pill[long]
    badge.locator(".MuiChip-root").click()
    expect(page.get_by_text("Every method against every other")).to_be_in_viewport(timeout=PATIENCE)
    open_tab(page, "Walk")
    share = page.get_by_role("button", name="Copy a link to this moment")
    expect(share).to_be_hidden()
    page.get_by_role("button", name="More tools").click()
    expect(share).to_be_in_viewport()
    wrong = faults(page, 640, 400) + faults(page, 390, 844)
    page.get_by_role("button", name="More tools").click()
    assert not wrong, "\n".join(wrong)


def test_what_is_told_covers_nothing_that_can_be_pressed(resized: Callable[[str], Page]) -> None:
    page = resized("preset=puma560&t=0.3&play=0")
    open_tab(page, "Model")
    page.evaluate(AT_REST)
    tab, world = page.get_by_role("tab", name="Model", exact=True), page.get_by_label("3D view of the system")
    stood = tab.bounding_box(), world.bounding_box()
    text = b"<robot name='r'><link name='a'/><link name='b'/></robot>"
    bad = {"name": "bad.urdf", "mimeType": "text/xml", "buffer": text}
    page.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[bad])
    told = page.get_by_role("alert").filter(has_text="That did not work")
    told.wait_for(timeout=PATIENCE)
    page.evaluate(AT_REST)
    moved = tab.bounding_box(), world.bounding_box()
    wrong = faults(page, 1280, 800) + faults(page, 390, 844)
    page.wait_for_timeout(1000 * binding.PATIENCE)  # a click as soon after another message may have been for that one
    told.get_by_role("button", name="Close").click()
    told.wait_for(state="hidden")
    assert moved == stood
    wrong = [line for line in wrong if "canvas" not in line]  # it is told over the picture
    assert not wrong, "\n".join(wrong)


def test_a_word_about_a_button_takes_no_click_from_the_next(lead: Callable[[str], Page]) -> None:
    """It stands beside the row, in one line; whoever slides on to the next button presses that."""
    page = lead("t=0.3&play=0")
    back, by_itself = (page.get_by_role("button", name=name) for name in ("One step back (←)", "Walk by itself (W)"))
    back.hover()
    tip = page.get_by_role("tooltip", name="One step back (←)")
    expect(tip).to_be_visible(timeout=PATIENCE)
    page.evaluate(AT_REST)
    word, next_one = tip.bounding_box(), by_itself.bounding_box()
    assert word
    assert next_one
    assert word["height"] < 40
    assert word["y"] > next_one["y"] + next_one["height"] - 8
    box = back.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] + 2, box["y"] + box["height"] / 2)
    page.mouse.click(next_one["x"] + next_one["width"] / 2, next_one["y"] + next_one["height"] / 2)
    stop = page.get_by_role("button", name="Stop the walk (W)")
    expect(stop).to_be_visible(timeout=PATIENCE)
    stop.click()
    expect(by_itself).to_be_visible(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("tab", "words"), [("Break it", "Click a part of the equation"), ("Check", "Every method against every other")]
)
def test_a_projector_shows_what_is_broken_or_checked(resized: Callable[[str], Page], tab: str, words: str) -> None:
    page = resized(f"preset=two_arms_and_box&t=0.3&play=0&stage=filter&tab={tab}")
    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    expect(page.get_by_text(words).first).to_be_in_viewport(timeout=PATIENCE)
    expect(page.locator(".headline").first).to_be_hidden()
    page.mouse.move(300.0, 300.0)
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible(timeout=PATIENCE)
    assert faults(page, 1280, 720) == []
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales").bounding_box()
    shown = page.locator(".tabs").first.bounding_box()
    assert notes
    assert shown
    assert notes["x"] + notes["width"] <= shown["x"] + 1, "the legend is whole beside it"


def test_projector_mode_is_the_world_one_equation_one_plot_and_controls_that_go(
    resized: Callable[[str], Page],
) -> None:
    page = resized("preset=two_arms_and_box&t=0.3&play=0&stage=filter&half=1")
    canvas, equation = (
        page.locator("canvas[role=application]"),
        page.get_by_role("group", name="The equation of this step"),
    )
    play = page.get_by_role("button", name="Play (space)")
    page.get_by_role("tab", name="Change", exact=True).focus()
    page.keyboard.press("p")
    equation.wait_for(timeout=PATIENCE)
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_be_hidden()
    assert canvas.evaluate("node => node.getBoundingClientRect().width / innerWidth") == 1.0
    assert canvas.evaluate("node => node.getBoundingClientRect().height / innerHeight") > 0.85
    assert page.locator(".cell:visible").count() == 1
    assert "R87 (39)" in equation.inner_text()
    assert equation.evaluate("node => parseFloat(getComputedStyle(node).fontSize)") > 26
    expect(play).to_be_hidden(timeout=PATIENCE)  # nobody has moved
    wrong = faults(page, 1280, 720)
    page.mouse.move(300.0, 300.0)
    expect(play).to_be_visible(timeout=PATIENCE)
    wrong += faults(page, 1280, 720)
    # The one plot is whole, with its axis; what the picture shows, and on which scale, stands over the controls.
    frame, cell = (page.locator(part).bounding_box() for part in (".plots", ".cell:visible"))
    assert frame
    assert cell
    assert cell["y"] + cell["height"] <= frame["y"] + frame["height"] + 1
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales").bounding_box()
    controls = page.locator(".transport").first.bounding_box()
    assert notes
    assert controls
    assert notes["y"] + notes["height"] <= controls["y"] + 1
    page.keyboard.press("ArrowRight")  # the walk goes on without its instrument
    expect(equation).not_to_contain_text("(39)", timeout=PATIENCE)
    wrong += faults(page, 390, 844)  # a hand touches it there
    page.set_viewport_size({"width": 1280, "height": 720})
    page.keyboard.press("Escape")
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_be_visible(timeout=PATIENCE)
    expect(equation).to_be_hidden()
    expect(page.get_by_role("tab", name="Change", exact=True)).to_be_focused()  # who came by keys is where they were
    assert not wrong, "\n".join(wrong)


def test_who_left_the_projector_after_a_click_on_its_button_plays_by_space(resized: Callable[[str], Page]) -> None:
    """The button lets go of the keys as any does that is clicked; it is not what one comes back to."""
    page = resized("preset=planar_chain&t=0.3&play=0")
    page.get_by_role("button", name="Projector mode (P)").click()
    page.get_by_role("button", name="Esc leaves").wait_for(timeout=PATIENCE)
    page.keyboard.press("Escape")
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_be_visible(timeout=PATIENCE)
    page.wait_for_timeout(500)
    page.keyboard.press(" ")
    page.get_by_role("button", name="Pause (space)").wait_for(timeout=PATIENCE)
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_be_visible()
    page.keyboard.press(" ")


@pytest.mark.parametrize("tab", ["Walk", "Break it"])
def test_a_projection_looks_alike_on_every_screen(resized: Callable[[str], Page], tab: str) -> None:
    """On the same wall twice the pixels are no smaller letters."""
    page = resized(f"preset=puma560&t=0.3&play=0&stage=filter&half=1&tab={tab}")
    page.keyboard.press("p")
    page.get_by_role("button", name="Leave projector mode (P)").wait_for(timeout=PATIENCE)
    shares: list[dict[str, float]] = []
    for width, height in ((1280, 720), (1920, 1080), (3840, 2160)):
        page.set_viewport_size({"width": width, "height": height})
        page.mouse.move(300.0 + len(shares), 300.0)
        page.evaluate(AT_REST)
        written = {name: size for name, size in page.evaluate(SIZES_OF).items() if name.startswith('"')}
        shares.append({name: size / height for name, size in written.items()})
    first, *others = shares
    for other in others:
        same = first.keys() & other.keys()
        assert len(same) > 10
        smaller = [f"{name}: {other[name] / first[name]:.2f}" for name in same if other[name] < 0.97 * first[name]]
        assert not smaller, "\n".join(smaller)


@pytest.mark.parametrize("size", [(1024, 600), (1366, 625), (1280, 720), (1024, 768), (820, 620)])
def test_a_low_window_leaves_the_world_two_fifths_of_its_height(
    resized: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = resized("preset=two_arms_and_box&t=0.3&play=0&walked=1&stage=filter&half=1&link=2")
    wrong = faults(page, *size)
    world = page.locator(".world").first.bounding_box()
    assert world
    assert world["height"] >= 0.4 * size[1]
    assert not wrong, "\n".join(wrong)


def test_the_menu_of_motions_stays_whatever_the_badge_says(resized: Callable[[str], Page]) -> None:
    page = resized("preset=puma560&t=0.3&play=0")
    motion, said = page.locator(".motion").first, page.locator(".badge .MuiChip-label").first
    page.evaluate(AT_REST)
    stood, before = motion.bounding_box(), said.inner_text()
    for words in ("checking", "not determined here", "at rest, in balance", "methods differ by 9e-04", before):
        said.evaluate("(label, words) => { label.firstChild.data = words }", words)
        assert motion.bounding_box() == stood, words


HITS = """async points => {
    const find = root => [...root.querySelectorAll('*')].map(node =>
        node.matches('canvas[role=application]') ? node : node.shadowRoot && find(node.shadowRoot)).find(found => found)
    const canvas = find(document), hit = []
    const picture = () => new Promise(done => requestAnimationFrame(done)) // after the picker's own
    for (const [clientX, clientY] of points) {
        canvas.dispatchEvent(new PointerEvent('pointermove', {clientX, clientY}))
        await picture()
        if (canvas.title) hit.push(`${canvas.title} at ${clientX}, ${clientY}`)
    }
    return hit
}"""
"""What of the machine is drawn at these points of the window, whatever stands over them."""


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080)])
def test_nothing_stands_over_a_projected_machine_nor_moves_as_one_walks(
    resized: Callable[[str], Page], size: tuple[int, int]
) -> None:
    page = resized("preset=puma560&t=0.3&play=0&stage=filter&half=1")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.keyboard.press("p")
    card, plot = page.locator(".headline:visible").last, page.locator(".cell:visible")
    card.wait_for(timeout=PATIENCE)
    page.mouse.move(300.0, 400.0)
    page.evaluate(AT_REST)
    notes = page.get_by_role("group", name="What the 3D view shows, with its scales")
    boxes = [part.bounding_box() for part in (page.locator("header").first, card, plot, notes)]
    bottom = page.get_by_role("button", name="Play (space)").bounding_box()
    assert bottom is not None
    boxes.append({"x": 0.0, "y": bottom["y"], "width": float(size[0]), "height": bottom["height"]})
    under = [
        [round(box["x"] + across * box["width"]), round(box["y"] + down * box["height"])]
        for box in boxes
        if box is not None
        for across in (0.05, 0.25, 0.35, 0.42, 0.5, 0.95)
        for down in (0.05, 0.5, 0.95)
    ]
    assert len(under) == 5 * 18
    assert page.evaluate(HITS, under) == []
    middle = [[round((0.22 + 0.02 * k) * size[0]), round(y * size[1])] for k in range(14) for y in (0.5, 0.55, 0.6)]
    assert len(page.evaluate(HITS, middle)) > 2
    stood = card.bounding_box()
    for name in ("One step on", "One step on", "One step back"):
        before = card.inner_text()
        page.get_by_role("button", name=name).click()
        wait_until(page, lambda before=before: card.inner_text() != before)  # type: ignore[misc]
        assert card.bounding_box() == stood
    expect(page.get_by_role("button", name="Play (space)")).to_be_hidden(timeout=PATIENCE)
    assert card.bounding_box() == stood  # the controls have gone
    page.get_by_role("button", name="Esc leaves").click()
    expect(page.get_by_role("tab", name="Walk", exact=True)).to_be_visible(timeout=PATIENCE)


def test_the_first_stop_skips_to_the_walk(lead: Callable[[str], Page]) -> None:
    page = lead("preset=puma560&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    open_tab(page, "Show")
    for link, place in (
        ("walk", "inward filter, link 1"), ("3D view", "3D view"), ("plots", "Filter"), ("lessons", "Lessons"),
    ):  # fmt: skip
        skip = page.get_by_role("link", name=f"Skip to the {link}")
        skip.focus()
        expect(skip).to_be_in_viewport()
        page.keyboard.press("Enter")
        wait_until(page, lambda place=place: str(page.evaluate(FOCUSED)).startswith(place))  # type: ignore[misc]
    assert page.locator("a:not([hidden]), button, input, [tabindex='0']").first.inner_text() == "Skip to the walk"


def test_a_skip_leads_somewhere_at_once(page: Page, serve: Callable[[str], str]) -> None:
    """Though the lessons, where it goes on to, are made first."""
    visit(page, f"{serve('app')}?preset=puma560&t=0.3&play=0")
    wait_until(page, lambda: shown_time(page) == 0.3)
    leap = f"() => {{ document.querySelector('[data-skip=lessons]').click(); return ({FOCUSED})() }}"
    assert str(page.evaluate(leap)).endswith("Lessons")  # the name on the rail, icon and all
    expect(page.get_by_role("heading", name="Lessons", exact=True)).to_be_focused(timeout=PATIENCE)


@pytest.fixture
def preferring(chromium: Browser, serve: Callable[[str], str]) -> Iterator[Callable[..., Page]]:
    """A browser whose user prefers something; and a page in it."""
    opened: list[tuple[Any, list[str]]] = []

    def prefer(query: str, **preferences: Any) -> Page:
        context = chromium.new_context(viewport={"width": 1280, "height": 800}, **preferences)
        page = context.new_page()
        opened.append((context, watch(page)))
        visit(page, f"{serve('app')}{query}")
        return page

    yield prefer
    for context, complaints in opened:
        context.close()
        assert not complaints, "\n".join(complaints)


GLIDING = f"""() => {{
    {DRAWN}
    const found = new Set()
    const parts = '.MuiCollapse-root, .MuiPopover-paper, .MuiSlider-thumb, .MuiLinearProgress-bar, '
        + '.MuiInputLabel-root, .MuiSwitch-switchBase, .MuiSwitch-thumb, .MuiSwitch-track'
    const see = node => {{
        if (!node.matches(parts)) return
        found.add(`${{node.classList[0]}}: ${{getComputedStyle(node).transitionDuration}}`)
    }}
    drawn(document, see)
    return [...found]
}}"""
"""How long the parts take that unfold, grow or glide."""


def test_the_theme_is_the_systems_until_one_is_chosen_and_that_is_kept(preferring: Callable[..., Page]) -> None:
    page = preferring("", color_scheme="dark", reduced_motion="reduce")
    is_dark = page.locator(".armsweep.dark")
    is_dark.wait_for(timeout=PATIENCE)
    expect(page.get_by_role("button", name="Play (space)")).to_be_visible(timeout=PATIENCE)  # nothing moves by itself
    first = shown_time(page)
    page.wait_for_timeout(500)
    assert shown_time(page) == first
    open_tab(page, "Show")
    page.locator(".MuiSwitch-thumb").first.wait_for(timeout=PATIENCE)
    page.get_by_role("combobox", name="Motion").click()
    page.get_by_role("option").first.wait_for(timeout=PATIENCE)
    lasting = page.evaluate(GLIDING)
    assert len(lasting) >= 6, lasting
    assert all(each.endswith(": 0s") for each in lasting), lasting
    page.keyboard.press("Escape")
    page.get_by_role("option").first.wait_for(state="hidden", timeout=PATIENCE)
    page.get_by_label("Toggle theme").click()
    is_dark.wait_for(state="detached", timeout=PATIENCE)
    wait_until(page, lambda: page.evaluate("localStorage.getItem('armsweep-theme')") == "light")
    url = page.url.partition("?")[0]
    visit(page, url)
    page.wait_for_timeout(500)
    assert is_dark.count() == 0
    page.goto(f"{url}?theme=dark", wait_until="domcontentloaded")  # a link's comes first, and is nobody's choice
    assert page.locator("#opening").get_attribute("data-theme") == "dark"
    assert page.evaluate("localStorage.getItem('armsweep-theme')") == "light"


RING = """() => {
    let here = document.activeElement
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement
    const {outlineStyle, outlineWidth, outlineColor, color} = getComputedStyle(here)
    const moving = here.getAnimations({subtree: true}).filter(one => one.effect.getTiming().iterations === Infinity)
    const isSeen = outlineStyle === 'auto' || outlineStyle === 'solid' && parseFloat(outlineWidth) >= 2
    return [here.matches('button'), isSeen && !moving.length && outlineColor !== 'rgba(0, 0, 0, 0)']
}"""
"""Whether a button has the focus; whether a ring that stays shows it."""


def test_each_button_that_tab_leads_to_has_a_ring(lead: Callable[[str], Page]) -> None:
    """Not a shade that pulses: of the head's buttons it had a contrast of 1.3."""
    page = lead("preset=jazidie_2&t=0.3&play=0&tab=Change")
    page.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
    ringless, buttons = [], 0
    for _ in range(60):
        page.keyboard.press("Tab")
        page.wait_for_timeout(50)
        is_button, is_ringed = page.evaluate(RING)
        buttons += is_button
        if is_button and not is_ringed:
            ringless.append(page.evaluate(FOCUSED))
    assert buttons > 30
    assert not ringless, "\n".join(ringless)


MAP = """([map, at]) => {
    const model = [...Bokeh.documents[0].all_models].find(model => model.data?.type.startsWith('Diagram')).data
    window.mapBefore ??= [model.map, model.at]
    if (!map) [map, at] = window.mapBefore
    model.setv({map}, {sync: false})
    model.setv({at}, {sync: false})
}"""
UNSEEN = """() => {
    const find = (root, name) => [...root.querySelectorAll('*')].map(node =>
        node.matches(name) ? node : node.shadowRoot && find(node.shadowRoot, name)).find(found => found)
    const box = find(document, '.node.here .body').getBoundingClientRect()
    const seen = find(document, '.map').getBoundingClientRect()
    const stages = find(document, '.stages rect').getBoundingClientRect()
    return [box.left - stages.right, seen.right - box.right, box.top - seen.top, seen.bottom - box.bottom]
        .filter(room => room < -1)
}"""


@pytest.mark.parametrize(("legs", "links"), [(1, 30), (6, 3)])
def test_a_long_walk_shows_where_it_is(resized: Callable[[str], Page], tmp_path: Path, legs: int, links: int) -> None:
    (tmp_path / "r.urdf").write_text(legged_file(legs, links))
    tips = [f"l{leg}_{links - 1}" for leg in range(legs)]
    system = dyn.single_arm(dyn.load(tmp_path / "r.urdf", tip=tips if legs > 1 else None))
    page = resized("preset=puma560&t=0.3&play=0")
    open_tab(page, "Walk")
    page.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")  # of a phone
    drawn, last = map_of(system), len(walk.whole_walk(system)) - 1
    assert len(drawn.nodes) == 2 * legs * links
    try:
        for size in ((1280, 720), (390, 844)):
            page.set_viewport_size({"width": size[0], "height": size[1]})
            for at in (0, last // 3, last // 2, last):
                page.evaluate(MAP, [drawn.as_dict(), at])
                page.evaluate(AT_REST)
                page.locator(".map .node.here .body").first.wait_for(state="attached")
                assert page.evaluate(UNSEEN) == [], (size, at)
    finally:
        page.evaluate(MAP, [None, 0])


COVERED = f"""() => {{
    {DRAWN}
    const [words, rings] = [[], []]
    drawn(document, node => {{
        if (node.matches('.map .caption')) words.push([node.textContent, node.getBoundingClientRect()])
        if (node.matches('.map .ring')) rings.push(node.getBoundingClientRect())
    }})
    const found = words.filter(([, a]) => rings.some(b =>
        a.left < b.right && b.left < a.right && a.top + 2 < b.bottom - 2 && b.top + 2 < a.bottom - 2))
    return [words.length, found.map(([text]) => text)]
}}"""
"""How many words stand on the map, and which of them a ring around a node covers; a line is higher than its letters."""


@pytest.mark.parametrize("preset", ["point_contact", "four_arms_and_box"])
def test_no_ring_of_the_map_covers_a_word(resized: Callable[[str], Page], preset: str) -> None:
    """The object's number alone stands where its word has no room between the tips."""
    page = resized(f"preset={preset}&t=0.3&play=0&tab=Walk")
    page.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")
    for width, height in ((640, 400), (320, 480), (390, 844), (820, 1180), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(AT_REST)
        count, covered = page.evaluate(COVERED)
        assert count >= 9, "stages, ends and the object"
        assert covered == [], (width, height)


HIDDEN = f"""() => {{
    {DRAWN}
    let list = null
    drawn(document, node => {{ if (node.matches('.rail .list')) list = node }})
    const edge = list.getBoundingClientRect(), fades = getComputedStyle(list).maskImage
    const beyond = (above) => [...list.querySelectorAll('.item')].some(item => item.checkVisibility() && (above
        ? item.getBoundingClientRect().top < edge.top - 1 : item.getBoundingClientRect().bottom > edge.bottom + 1))
    const ends = ['linear-gradient(rgba(0, 0, 0, 0)', 'rgba(0, 0, 0, 0))']
    return [beyond(true), beyond(false), fades.startsWith(ends[0]), fades.endsWith(ends[1])]
}}"""
"""Whether instruments stand out of sight above and below in the rail; whether the edges there fade."""


@pytest.mark.parametrize("preset", ["point_contact", "two_arm_flyer"])
def test_the_rail_shows_all_names_or_fades_where_there_are_more(resized: Callable[[str], Page], preset: str) -> None:
    page = resized(f"preset={preset}&t=0.3&play=0&tab=Walk")
    page.evaluate("document.dispatchEvent(new CustomEvent('armsweep:sheet', {detail: 'Instruments'}))")
    for width, height in (*SIZES, *ZOOMED, (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate(AT_REST)
        assert page.evaluate(HIDDEN) == [False] * 4, (width, height)
    page.set_viewport_size({"width": 1280, "height": 460})  # not even their names have room, one below the other
    page.evaluate(AT_REST)
    assert page.evaluate(HIDDEN) == [False, True, False, True]
    page.get_by_role("tab", name="Lecture", exact=True).focus()
    page.evaluate(AT_REST)
    assert page.evaluate(HIDDEN) == [True, False, True, False]


def test_an_instrument_is_found_by_key_and_two_stand_side_by_side_where_there_is_room(
    resized: Callable[[str], Page],
) -> None:
    page = resized("preset=two_arms_and_box&t=0.3&play=0")

    def tab(name: str) -> Locator:
        return page.get_by_role("tab", name=name, exact=True)

    two = page.get_by_role("button", name="Two instruments side by side")
    expect(two).to_be_hidden()
    page.keyboard.press("i")
    expect(tab("Walk")).to_be_focused()
    page.keyboard.press("m")
    expect(tab("Methods")).to_be_focused()
    page.wait_for_timeout(1000)  # what is typed later is another name
    page.keyboard.type("mo")
    expect(tab("Model")).to_be_focused()
    page.keyboard.type("ch")  # Check, Compare and Change begin so: the next from here, round the end
    expect(tab("Check")).to_be_focused()
    page.keyboard.type("c")
    expect(tab("Compare")).to_be_focused()
    page.keyboard.type("c")
    page.keyboard.press("Enter")
    expect(tab("Change")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("s")  # whoever has arrived has given the letters back to the page
    expect(tab("Change")).to_be_focused()

    page.set_viewport_size({"width": 1920, "height": 1080})
    two.click()
    panes = page.get_by_role("tabpanel", name=re.compile("^(Walk|Change)$"))
    expect(panes).to_have_count(2)
    walk, change = (page.get_by_role("tabpanel", name=name).bounding_box() for name in ("Walk", "Change"))
    assert walk
    assert change
    assert walk["x"] + walk["width"] <= change["x"] + 1
    assert min(walk["width"], change["width"]) > 400
    wrong = faults(page, 1920, 1080)
    wait_until(page, lambda: "beside=Walk" in page.url)
    tab("Walk").click()  # they change places
    expect(tab("Walk")).to_have_attribute("aria-selected", "true")
    expect(panes).to_have_count(2)
    page.get_by_role("button", name="Close Change: one instrument").click()
    expect(panes).to_have_count(1)
    page.set_viewport_size({"width": 1280, "height": 800})
    assert not wrong, "\n".join(wrong)


def test_beside_an_instrument_the_tools_of_the_plots_stand_in_one_row(resized: Callable[[str], Page]) -> None:
    """With a kept run there is one more of them."""
    page = resized("preset=free_flyer&t=0.3&play=0&tab=Model")
    page.keyboard.press("a")
    tools = page.get_by_role("toolbar", name="Tools of the plots")
    tools.get_by_role("button", name="Show this run less the kept ones, in every panel").wait_for()
    tops = "tools => [...tools.children].filter(tool => tool.checkVisibility()).map(tool => tool.offsetTop)"
    assert len(set(tools.evaluate(tops))) == 1


def test_a_phones_views_come_when_they_are_asked_for(resized: Callable[[str], Page]) -> None:
    page = resized("preset=puma560&t=0.3&play=0")
    views = page.get_by_role("group", name="Views")
    assert views.get_by_role("button").count() == 6, "five views, and the picture of one"
    page.set_viewport_size({"width": 390, "height": 844})
    page.evaluate(AT_REST)
    assert views.get_by_role("button").count() == 1, "they would cover the robot"
    views.get_by_role("button", name="Views").click()
    expect(views.get_by_role("button", name="Front view (1)")).to_be_visible()
    views.get_by_role("button", name="Views").click()
    assert views.get_by_role("button").count() == 1


def test_a_map_of_methods_that_is_wider_than_its_sheet_shows_where_it_is(resized: Callable[[str], Page]) -> None:
    """Newton-Euler begins at the last of eighteen links, which stands beside the edge; the names of its rows stay."""
    page = resized("preset=talos&t=0.3&play=0")
    open_tab(page, "Methods")
    here = page.get_by_role("table", name="Map of Newton–Euler").locator("[aria-current=step]")
    inside = """here => {
        const [box, edge] = [here, here.closest('.wide')].map(part => part.getBoundingClientRect())
        return box.left >= edge.left - 1 && box.right <= edge.right + 1
    }"""
    stays = """here => {
        const [map, edge] = [here.closest('table'), here.closest('.wide')]
        edge.scrollLeft = edge.scrollWidth
        return [...map.querySelectorAll('tbody th[scope=row], tbody .band th > *')].every(name =>
            Math.abs(name.getBoundingClientRect().left - edge.getBoundingClientRect().left) < 8)
    }"""
    for width, height in ((1280, 800), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        here.wait_for(state="attached")
        wait_until(page, lambda: bool(here.evaluate(inside)))
        assert here.evaluate(stays), "names of rows were scrolled out of sight"


def test_the_widest_table_of_links_fits_its_column(resized: Callable[[str], Page]) -> None:
    page = resized("preset=free_flyer&t=0.3&play=0&walked=1&stage=dual_filter&link=2&sheet=Links")
    table = page.locator("table.links.many")
    table.wait_for()
    assert table.evaluate("table => table.scrollWidth <= table.parentElement.clientWidth")


SHARES = """() => {
    const found = []
    const look = root => root.querySelectorAll("*").forEach(node => {
        if (node.matches(".cell") && node.checkVisibility()) {
            found.push(node.querySelector(".readings").offsetHeight / node.offsetHeight)
        }
        if (node.shadowRoot) look(node.shadowRoot)
    })
    look(document)
    return found
}"""
"""How much of each plot's panel its names and readings take."""


def test_names_and_readings_leave_two_thirds_of_a_panel_to_its_plot(resized: Callable[[str], Page]) -> None:
    """Where they stood one below the other they took two fifths of it; of each the unit is heard."""
    page = resized("preset=solo12&t=0.3&play=0")
    for size in ((1280, 800), (1440, 900), (1920, 1080), (2560, 1440)):
        page.set_viewport_size({"width": size[0], "height": size[1]})
        page.evaluate(AT_REST)
        shares = page.evaluate(SHARES)
        assert len(shares) == 4
        assert max(shares) < 1 / 3, (size, shares)
    page.set_viewport_size({"width": 1280, "height": 800})
    panel = page.get_by_role("group", name=re.compile("Eigenvalues of P"))
    readings = panel.locator(".readings dd").all_text_contents()
    assert [text.partition(" ")[2] for text in readings] == 3 * ["kg m²"] + 3 * ["kg"]
