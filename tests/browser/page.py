"""What a person opens, chooses and presses on the page, and what an accessibility checker finds."""

import re

from playwright.sync_api import FilePayload, JSHandle, Locator, Page, expect

from tests.browser.screens import DRAWN

FOCUSED = """() => {
    let here = document.activeElement
    while (here?.shadowRoot?.activeElement) here = here.shadowRoot.activeElement
    return here?.getAttribute('aria-label') || here?.textContent || ''
}"""
"""The name of what has the focus."""
HAS_FOCUS = "one => one.getRootNode().activeElement === one"
FIGURES = """[...Bokeh.documents[0].all_models]
  .filter(m => m.type === 'Figure' && m.center.some(one => one.name === 'cursor'))"""
"""Those of the panels: the instruments have figures of their own."""
SAMPLED = f"() => {FIGURES}[0]?.tags[0].data.time.at(-1) ?? 0"
"""Until when the first panel has samples, s."""


def open_tab(page: Page, name: str) -> Locator:
    """Opens an instrument of the rail, and gives its pane."""
    tab = page.get_by_role("tablist", name="Instruments").get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")
    return page.get_by_role("tabpanel", name=name, exact=True).first


def open_plots(page: Page, name: str) -> None:
    tab = page.get_by_role("tablist", name="Sets of plots").get_by_role("tab", name=name, exact=True)
    tab.click()
    expect(tab).to_have_attribute("aria-selected", "true")


def choose(page: Page, menu: str, words: str | re.Pattern[str]) -> None:
    page.get_by_role("combobox", name=menu, exact=True).locator("visible=true").first.click()
    page.get_by_role("option", name=words, exact=True).click()


def upload(page: Page, name: str, content: bytes, kind: str = "text/xml") -> None:
    pane = open_tab(page, "Model")
    file: FilePayload = {"name": name, "mimeType": kind, "buffer": content}
    pane.locator("input[type=file]").set_input_files(files=[file])


def group(page: Page, name: str) -> Locator:
    """Opens a group of *Change*, and gives the pane."""
    pane = open_tab(page, "Change")
    head = pane.get_by_role("button", name=name, exact=True)
    if head.get_attribute("aria-pressed") != "true":
        head.click()
    expect(head).to_have_attribute("aria-pressed", "true")
    return pane


def undo(page: Page) -> None:
    page.get_by_role("button", name=re.compile("^Undo")).first.click()


def tab_to(page: Page, name: str, presses: int = 80) -> None:
    """Tab, until that has the focus; a page where that takes longer is none for keys."""
    for _ in range(presses):
        page.keyboard.press("Tab")
        here = str(page.evaluate(FOCUSED))
        assert here.strip(), "Tab leads to something without a name"
        if re.match(name, here):
            return
    raise AssertionError(f"{presses} times Tab do not lead to {name}")


SERIOUS = ("serious", "critical")
LENIENT = ("region", "hidden-content", "focus-order-semantics")
"""Rules that cost most of those whose findings axe never calls serious: they are not asked."""
CHECKED = f"""async ([part, rules, serious, tries]) => {{
    {DRAWN}
    const look = () => {{
        const words = []
        drawn(document, node => words.push(node.localName, node.getAttribute('class'), node.getAttribute('style')))
        return words.join()
    }}
    const moving = () =>
        document.getAnimations().some(one => one instanceof CSSTransition && one.playState === 'running')
    const rest = async () => {{
        for (let before = '', now; ; before = now) {{
            now = moving() ? '' : look()
            if (now && now === before) return
            await new Promise(done => setTimeout(done, 200))
        }}
    }}
    let found = []
    for (let attempt = 0; attempt < tries; ++attempt) {{
        await rest()
        const options = {{resultTypes: ['violations'], preload: false, ...rules}}
        const {{violations}} = await axe.run(part || document, options)
        found = violations.filter(one => serious.includes(one.impact)).flatMap(one =>
            one.nodes.map(node => `${{one.impact}} ${{one.id}}: ${{node.html.slice(0, 200)}} ${{node.failureSummary}}`))
        if (!found.length) break
    }}
    return found
}}"""
"""What is wrong when the page has come to rest: colors of a theme arrive one widget after the other, and by degrees."""


def violations(page: Page, axe: str, part: JSHandle | None, only: tuple[str, ...] = ()) -> list[str]:
    """What is serious in this part of the page, or in all of it; by these rules, by all if there are none."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(axe)
    rules = {"runOnly": only} if only else {"rules": {name: {"enabled": False} for name in LENIENT}}
    found: list[str] = page.evaluate(CHECKED, [part, rules, SERIOUS, 6])
    return found
