"""What was done is said over the page, and the word leaves by itself."""

from __future__ import annotations

from app.controls.share import Share
from app.state import Session
from app.views.notice import STAYS, STAYS_LONG, Notice


def test_a_word_comes_and_leaves() -> None:
    now = 100.0
    notice = Notice(lambda: now)
    alert = notice.__panel__()
    assert alert.closed
    notice.say("done")
    assert (notice.words, alert.closed) == ("done", False)
    now += STAYS - 0.1
    notice.draw()
    assert notice.words == "done"
    notice.say("done again")  # stays as long as any
    now += STAYS - 0.1
    notice.draw()
    assert notice.words == "done again"
    now += 0.2
    notice.draw()
    assert (notice.words, alert.closed, alert.object) == ("", True, "")  # nor read by who hears the page
    notice.say("done again")
    assert not alert.closed


def test_a_link_is_told_to_be_copied_and_one_that_could_not_be_stays_to_be_read() -> None:
    session = Session("planar_chain")
    share = Share(session)
    share._browser.answer = "copied"
    told = share._told
    assert told.words == "The link to this moment is copied."
    share.draw()
    assert told.words
    told._until -= STAYS
    share.draw()
    assert told.words == ""
    share._browser.answer = "http://here/app?<b>"
    assert "&lt;b&gt;" in told.words
    told._until -= STAYS
    share.draw()
    assert told.words
    told._until -= STAYS_LONG
    share.draw()
    assert not told.words
