"""One open page that many tests use one after the other: each is led to its own moment by the door of ``led_app``."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

DOOR = "[...Bokeh.documents[0].all_models].find(model => model.type.endsWith('TextInput') && model.title === 'door')"
LEAVE = """() => {
    let focused = document.activeElement
    while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement
    focused?.blur()
}"""


class LedPage:
    """A page of 1280 x 800 with its own profile, opened at the first call.

    Attributes:
        complaints: grows with everything that the page must not do.
        is_closed: whether it is of no more use.
    """

    def __init__(self, browser: Browser, url: str) -> None:
        from tests.browser.conftest import calm, watch

        self._url = url
        self._numbers = itertools.count(1)
        self._context = calm(browser)
        self.page: Page = self._context.new_page()
        self.complaints = watch(self.page)
        self._is_open = False
        self.is_closed = False

    def lead(self, query: str) -> Page:
        """Shows what a link with this query shows, in a page as it was when it opened."""
        from tests.browser.conftest import visit

        if not self._is_open:
            visit(self.page, f"{self._url}?{query}")
            self.page.locator("canvas[role=application]").wait_for(timeout=60_000.0)
            self._is_open = True
        else:
            self.page.evaluate(LEAVE)
            self.page.keyboard.press("Escape")
            self.page.locator("canvas[role=application]").press("Home")  # the camera
            self.page.evaluate(LEAVE)
            self.page.mouse.move(640.0, 1.0)
            self._tell(query)
        return self.page

    def rest(self) -> None:
        """Costs nothing until it is led on."""
        if self._is_open:
            self._tell("rest")

    def _tell(self, words: str) -> None:
        number = str(next(self._numbers))
        self.page.evaluate(f"words => {{ {DOOR}.value = words }}", f"{number} {words}")
        self.page.wait_for_function(f"number => {DOOR}.placeholder === number", arg=number)
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def close(self) -> None:
        if not self.is_closed:
            self.is_closed = True
            self._context.close()
