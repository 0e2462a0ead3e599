"""The handout of a lecture: words stay words, and each link leads back to its moment."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from app.classroom.handout import handout_html
from app.classroom.lecture import Lecture
from app.state import Session
from tests.app.classroom.waiting import CAMERA, SEEN

HOME = "https://example.org/app"


def test_what_a_lecturer_has_written_is_words_and_a_link_leads_back() -> None:
    session = Session("puma560")
    lecture = Lecture(session)
    moment = lecture.keep()
    lecture.change(moment.number, title="A <b>first</b> look", note="Ask.\nThen <show>.")
    lecture.picture(moment.number, CAMERA, SEEN)
    text = handout_html(lecture, HOME, {})
    for part in (
        "1. A &lt;b&gt;first&lt;/b&gt; look",
        "Ask.\nThen &lt;show&gt;.",
        f'<img src="{SEEN}"',
        "is printed where",
    ):
        assert part in text
    (link,) = (unescape(each) for each in re.findall('<a href="([^"]+)"', text))
    assert link.startswith(f"{HOME}?")
    query = dict(parse_qsl(urlsplit(link).query))
    assert (query["camera"], query["preset"]) == (CAMERA, "puma560")
