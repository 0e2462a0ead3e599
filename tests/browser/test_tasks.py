"""What people come for: three tasks each of a student, a lecturer, a researcher and somebody without a mouse.

Each begins with the page as it opens, and does what the words of the task ask for with what is seen or said there.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import pytest
from playwright.sync_api import expect

import dynamics as dyn
from app.motion.presets import PRESETS
from app.state import walk
from tests.app.upload.test_upload import chain
from tests.browser.conftest import calm, visit, watch
from tests.browser.test_break_it import failing, open_tab, point_at, press
from tests.browser.test_hands_on import on_screen, settled
from tests.browser.test_page import PATIENCE, difference, opened, pause, picture, shown_time, wait_until
from tests.browser.test_screens import FOCUSED
from tests.browser.test_walker import agrees, at, equation_shown, here, numbers_in, spoken

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.compiled_only]
__all__ = ["opened"]


def tab_to(page: Page, name: str, presses: int = 80) -> None:
    """Tab, until that has the focus; a page where that takes longer is none for keys."""
    for _ in range(presses):
        page.keyboard.press("Tab")
        here = str(page.evaluate(FOCUSED))
        assert here.strip(), "Tab leads to something without a name"
        if re.match(name, here):
            return
    raise AssertionError(f"{presses} times Tab do not lead to {name}")


def choose_machine(page: Page, mode: str, title: str) -> None:
    """By mouse, as the head of the page offers it."""
    page.get_by_role("button", name=mode, exact=True).click()
    preset = page.get_by_role("combobox", name="Motion")
    preset.click()
    page.get_by_role("option", name=title).click()
    expect(preset).to_contain_text(title, timeout=PATIENCE)


class TestStudent:
    def test_stops_it_lets_it_go_on_and_pulls_at_it(self, opened: Page) -> None:
        """Stop the arm. Let it go on. Take its hand with the mouse and pull."""
        pause(opened)
        at_rest = picture(opened)
        opened.get_by_role("button", name="Play (space)").click()
        wait_until(opened, lambda: difference(at_rest, picture(opened)) > 0.002)
        pause(opened)
        x, y = on_screen(opened, settled(opened).solution().link_pose[1][:3, 3])
        opened.mouse.move(x, y)
        opened.mouse.down()
        opened.mouse.move(x + 40, y - 30, steps=4)
        wait_until(opened, lambda: opened.locator(".armsweep .label").inner_text().endswith("N"))
        opened.mouse.up()
        opened.get_by_title("push", exact=True).wait_for(timeout=PATIENCE)

    def test_finds_a_first_kalman_gain(self, opened: Page) -> None:
        """Find the Kalman gain of the link nearest to the tip, and its six numbers."""
        pause(opened)
        opened.get_by_role("tab", name="Walk").click()
        opened.get_by_role("button", name=re.compile("inward filter, link 1,")).click()
        at(opened, "inward filter, link 1,")
        for _ in range(2):
            if opened.locator("[data-equation='filter kalman_gain']:visible").count():
                break
            heard = spoken(opened)
            opened.keyboard.press("ArrowRight")
            wait_until(opened, lambda heard=heard: spoken(opened) != heard)  # type: ignore[misc]
            opened.wait_for_timeout(500)
        equation_shown(opened, "filter kalman_gain")
        gain = settled(opened).solution().stages["filter"]["kalman_gain"][0]
        cells = opened.locator("[data-equation='filter kalman_gain']:visible .term").first.locator("[data-n]")
        wait_until(opened, lambda: agrees(numbers_in(cells), gain))

    def test_turns_a_sign_and_sees_which_law_that_breaks(self, opened: Page) -> None:
        """Turn a sign of the filter round. Which law of mechanics does that break?"""
        pause(opened)
        open_tab(opened)
        point_at(opened, "P", 0)
        press(opened, "Turn the sign")
        guess = opened.locator("[data-go^='guess']")
        guess.first.wait_for(timeout=PATIENCE)
        assert guess.count() >= 2
        guess.first.click()
        opened.get_by_text(re.compile(r"✓ Right\.|✗ Not so\.")).first.wait_for(timeout=PATIENCE)
        wait_until(opened, lambda: bool(failing(opened)))


class TestLecturer:
    def test_shows_the_inward_sweep_to_the_back_row(self, opened: Page) -> None:
        """Show the world on the whole screen, and one equation, large; go through the filter's first links."""
        pause(opened)
        opened.get_by_role("button", name=re.compile("Projector")).click()
        equation = opened.get_by_role("group", name="The equation of this step")
        equation.wait_for(timeout=PATIENCE)
        seen = [equation.inner_text()]
        for _ in range(3):
            opened.keyboard.press("ArrowRight")
            wait_until(opened, lambda: equation.inner_text() != seen[-1])
            seen.append(equation.inner_text())
        assert len(set(seen)) == 2  # P of a link, then its gain; of the next link again
        opened.keyboard.press("Escape")
        expect(equation).to_be_hidden(timeout=PATIENCE)

    def test_two_arms_let_a_box_go_and_take_it_again(self, opened: Page) -> None:
        """Two arms carry a box: show how its force is predicted and corrected. Let the box go; take it again."""
        opened.get_by_role("button", name="Multi-arm", exact=True).click()
        opened.get_by_role("button", name="Release", exact=True).wait_for(timeout=PATIENCE)
        pause(opened)
        opened.get_by_role("tab", name="Walk").click()
        opened.locator(".map [role=button][aria-label*='contact']").first.click()
        wait_until(opened, lambda: "contact" in here(opened).lower())
        for _ in range(12):
            if opened.locator("[data-equation='contact corrected_contact_force']:visible").count():
                break
            heard = spoken(opened)
            opened.keyboard.press("ArrowRight")
            wait_until(opened, lambda heard=heard: spoken(opened) != heard)  # type: ignore[misc]
            opened.wait_for_timeout(300)
        equation_shown(opened, "contact corrected_contact_force")
        opened.get_by_role("button", name="Release", exact=True).click()
        grasp = opened.get_by_role("button", name="Grasp", exact=True)
        grasp.wait_for(timeout=PATIENCE)
        grasp.click()
        opened.get_by_role("button", name="Release", exact=True).wait_for(timeout=PATIENCE)

    def test_sends_a_moment_to_the_class(self, opened: Page, chromium: Browser, serve: Callable[[str], str]) -> None:
        """Copy a link to this moment. Whoever opens it sees the same."""
        choose_machine(opened, "Single arm", PRESETS["iiwa14"].title)
        wait_until(opened, lambda: shown_time(opened) > 0.3)
        pause(opened)
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened.get_by_role("button", name="Copy a link to this moment").click()
        opened.get_by_text("The link to this moment is copied.").wait_for(timeout=PATIENCE)
        link = str(opened.evaluate("navigator.clipboard.readText()")).replace("led_app", "app")
        moment = settled(opened)
        context = calm(chromium)
        try:
            page = context.new_page()
            complaints = watch(page)
            visit(page, link)
            wait_until(page, lambda: abs(shown_time(page) - shown_time(opened)) < 0.0051)
            other = settled(page)
            assert other.preset.name == moment.preset.name == "iiwa14"
            assert np.allclose(other.solution().joint_acceleration, moment.solution().joint_acceleration)
            assert here(page) == here(opened)
            assert complaints == []
        finally:
            context.close()


class TestResearcher:
    def test_opens_a_robot_and_takes_a_matrix_away(self, opened: Page) -> None:
        """Open your own robot file, let it fall, and copy P of its tip link to NumPy."""
        opened.get_by_role("tab", name="Model").click()
        file = {"name": "mine.urdf", "mimeType": "text/xml", "buffer": chain(3)}
        opened.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]
        opened.get_by_text("mine.urdf is open.").wait_for(timeout=PATIENCE)
        opened.get_by_role("tab", name="Change").click()
        opened.get_by_role("button", name="Drive", exact=True).click()
        opened.get_by_role("combobox", name="Drive").click()
        opened.get_by_role("option", name="Motors off").click()
        wait_until(opened, lambda: "drive=free" in opened.url)
        wait_until(opened, lambda: shown_time(opened) > 0.3)
        pause(opened)
        opened.context.grant_permissions(["clipboard-read", "clipboard-write"])
        opened.get_by_role("tab", name="Walk").click()
        opened.get_by_role("button", name=re.compile("inward filter, link 1,")).click()
        section = opened.locator("[data-equation='filter articulated_inertia']:visible")
        section.wait_for(timeout=PATIENCE)
        at(opened, "inward filter, link 1,")
        opened.wait_for_timeout(500)
        if section.locator(".more[open]").count() == 0:  # an earlier test may have opened it
            section.get_by_text("more", exact=True).click()
        section.get_by_role("button", name="NumPy").click()
        section.get_by_text("Copied as NumPy.").wait_for(timeout=PATIENCE)
        told = str(opened.evaluate("navigator.clipboard.readText()"))
        matrix = np.array(ast.literal_eval(told.removeprefix("np.array(").removesuffix(")")))
        tip = dyn.load_urdf_text(chain(3), "mine.urdf").links[0]
        assert matrix.shape == (6, 6)
        assert matrix[3:, 3:] == pytest.approx(tip.mass * np.eye(3), abs=1e-12)  # of the tip link alone, P is its own

    def test_doubles_a_mass_and_reads_how_far_the_tip_goes_elsewhere(self, opened: Page) -> None:
        """Keep this run. Make the last link twice as heavy. How far does the tip go elsewhere, in one number?"""
        pause(opened)
        before = settled(opened)
        opened.get_by_role("tab", name="Show").click()
        opened.get_by_role("button", name="Keep this run", exact=True).click()
        opened.get_by_label("Name of run A").wait_for(timeout=PATIENCE)
        opened.get_by_role("tab", name="Change").click()
        opened.get_by_role("button", name="Bodies", exact=True).click()
        field = opened.get_by_role("textbox", name="Mass (kg)")
        field.wait_for(timeout=PATIENCE)
        field.fill(f"{2.0 * before.mass:g}")
        field.press("Enter")
        wait_until(opened, lambda: "mass=" in opened.url)
        after = settled(opened)
        assert after.mass == pytest.approx(2.0 * before.mass, rel=1e-5)
        opened.get_by_role("tab", name="Show").click()
        row = opened.get_by_role("table", name="How far from this run").get_by_role("row").filter(has_text="tip")
        tips = []
        for session in (before, after):
            while not session.run.complete:
                session.run.accept(session.run.compute())
            at = np.linspace(0.0, session.run.end, 201).tolist()
            tips.append(
                np.array([each.tip_pose[0, :3, 3] for each in session.run.solutions_at(at) if each is not None])
            )
        largest = float(np.linalg.norm(tips[1] - tips[0], axis=1).max())

        def told() -> float:
            number, unit = row.locator("td.number").first.inner_text().split()
            return float(number) * {"m": 1.0, "cm": 1e-2, "mm": 1e-3, "µm": 1e-6}[unit]

        wait_until(opened, lambda: bool(row.count()) and told() == pytest.approx(largest, rel=0.05))

    def test_takes_the_session_home_as_a_file(
        self, opened: Page, chromium: Browser, serve: Callable[[str], str], tmp_path: Path
    ) -> None:
        """Open your own robot, change its world, save the session; another day, elsewhere, go on from the file."""
        opened.get_by_role("tab", name="Model").click()
        file = {"name": "mine.urdf", "mimeType": "text/xml", "buffer": chain(4)}
        opened.get_by_role("tabpanel", name="Model").locator("input[type=file]").set_input_files(files=[file])  # type: ignore[list-item]
        opened.get_by_text("mine.urdf is open.").wait_for(timeout=PATIENCE)
        opened.get_by_role("tab", name="Change").click()
        opened.get_by_role("button", name="Bodies", exact=True).click()
        field = opened.get_by_role("textbox", name="Mass (kg)")
        field.fill("3.5")
        field.press("Enter")
        wait_until(opened, lambda: "mass=3.5" in opened.url)
        wait_until(opened, lambda: shown_time(opened) > 0.3)
        pause(opened)
        time = shown_time(opened)
        opened.get_by_role("button", name="Session as a file").click()
        with opened.expect_download() as saving:
            opened.get_by_role("button", name="Save this session").click()
        taken = tmp_path / saving.value.suggested_filename
        saving.value.save_as(taken)
        assert taken.name.endswith(".armsweep.json")
        opened.keyboard.press("Escape")
        context = calm(chromium)
        try:
            page = context.new_page()
            complaints = watch(page)
            visit(page, serve("app"))
            page.get_by_role("button", name="Session as a file").click()
            page.get_by_role("dialog").locator("input[type=file]").set_input_files(taken)
            page.get_by_text(f"{taken.name} is open.").wait_for(timeout=PATIENCE)
            wait_until(page, lambda: shown_time(page) == time)
            page.get_by_role("tab", name="Change").click()
            page.get_by_role("button", name="Bodies", exact=True).click()
            again = page.get_by_role("textbox", name="Mass (kg)")
            wait_until(page, lambda: again.input_value() == "3.5")
            assert complaints == []
        finally:
            context.close()


class TestKeyboard:
    def test_follows_the_whole_filter_by_ear(self, opened: Page) -> None:
        """Without a mouse: stop the motion, go to the walk, and hear the filter from the tip to the base."""
        pause(opened)
        # An earlier test on this page may have left off anywhere; a page that is opened begins at its top.
        opened.evaluate("document.body.tabIndex = -1; document.body.focus(); document.body.removeAttribute('tabindex')")
        opened.keyboard.press("Tab")
        opened.keyboard.press("Enter")  # the first stop of the page skips to the walk
        wait_until(opened, lambda: "link" in str(opened.evaluate(FOCUSED)))
        system, _ = dyn.example(PRESETS["puma560"].example)
        for _ in range(2 * system.n_links):
            if spoken(opened).startswith("Inward filter, link 1,"):
                break
            opened.keyboard.press("Shift+ArrowLeft")
            opened.wait_for_timeout(300)
        heard = [spoken(opened)]
        places = [place for place in walk.whole_walk(system) if place.stage == "filter"]
        for _ in places[1:]:
            opened.keyboard.press("ArrowRight")
            wait_until(opened, lambda: spoken(opened) != heard[-1])
            heard.append(spoken(opened))
        links = [int(found.group(1)) for words in heard if (found := re.search(r"link (\d+)", words))]
        assert all(words.lower().startswith("inward filter") for words in heard[1:-1])
        assert max(links) == system.n_links
        assert links == sorted(links)

    def test_gives_a_joint_a_torque_and_takes_it_back(self, opened: Page) -> None:
        """Without a mouse: give the second joint a torque, see that the motion is another, and undo it."""
        pause(opened)
        name = opened.get_by_role("tab", name="Change")
        name.focus()
        opened.keyboard.press("Enter")
        torques = opened.get_by_role("button", name="Torques", exact=True)
        torques.wait_for(timeout=PATIENCE)
        torques.focus()
        opened.keyboard.press("Enter")
        slider = opened.get_by_role("slider", name=re.compile(r"^joint_2\b"))
        slider.wait_for(timeout=PATIENCE)
        slider.focus()
        for _ in range(3):
            opened.keyboard.press("ArrowRight")
        wait_until(opened, lambda: "torques=" in opened.url)
        seen = ""
        while seen != opened.url:  # the last of the three has come, too: it would be done again after the undo
            seen = opened.url
            opened.wait_for_timeout(700)
        opened.keyboard.press("Control+z")
        wait_until(opened, lambda: "torques=" not in opened.url)

    def test_opens_two_arms_and_asks_whether_the_numbers_are_right(self, opened: Page) -> None:
        """Without a mouse: choose the mode of several arms, and find out whether what is shown is right."""
        mode = opened.get_by_role("button", name="Multi-arm", exact=True)
        tab_to(opened, "Choices of panel 4")  # past every plot
        tab_to(opened, "Single arm")  # and round again
        opened.keyboard.press("ArrowRight")
        opened.keyboard.press("Enter")
        expect(mode).to_have_attribute("aria-pressed", "true", timeout=PATIENCE)
        wait_until(opened, lambda: "preset=built" in opened.url)
        check = opened.get_by_role("tab", name="Check")
        check.focus()
        opened.keyboard.press("Enter")
        rows = opened.locator("tbody tr:not(.stage):has(td.mark):visible")
        wait_until(opened, lambda: rows.count() > 10)
        assert not failing(opened)
