"""The handout: what each moment walked, with the mechanics' own number, its note, its picture and its link."""

import re
from html import unescape
from urllib.parse import parse_qsl, urlsplit

from app.lecture import Lecture
from app.lecture.handout import Handout
from app.number_text import number_text
from app.state import Session
from app.state.address import asked, query_of
from tests.app.arrival import computed
from tests.app.lecture.telling import CAMERA, SEEN

HOME = "https://example.org/app"


def test_a_moment_is_printed_with_the_equations_that_were_walked() -> None:
    for known in [True, False]:
        session = Session("puma560")
        lecture = Lecture(session, "Lecture")
        computed(session.run)
        session.param.update(playing=False, walked=True, tab="Check")
        session.seek(0.4)
        session.walk_to_start()
        session.walk_half(1)  # the correction at the tip's joint
        reading, place = session.reading(), session.place
        moment = lecture.keep()
        lecture.change(moment.number, title="A <b>first</b> look", note="Ask.\nThen <show>.")
        lecture.picture(moment.number, CAMERA, SEEN)
        if not known:
            session = Session("planar_chain")
            lecture.runs.__init__()  # as in a page that has just opened the file
        handout = Handout(lecture, session, HOME)
        list(handout.pieces())
        text = handout.html()
        for part in ("1. A &lt;b&gt;first&lt;/b&gt; look", "Ask.<br>Then &lt;show&gt;.", f"<img src='{SEEN}'"):
            assert part in text
        for line in reading.lines(place.stage, place.link, place.half):
            assert f"{line.equation}; " in text
        assert text.count("<math") >= len(reading.lines(place.stage, place.link, place.half))
        assert "at 0.40 s" in text
        values = re.findall(r"<p class='value'>.*?</math> = (\S+)", text)
        D = number_text(float(reading.letter("D")[place.link].item()), digits=4)
        assert D in values
        assert len(values) == sum(
            line.value.size in (1, 6) for line in reading.lines(place.stage, place.link, place.half)
        )
        (link,) = re.findall(r"<a href='([^']+)'", text)
        query = dict(parse_qsl(urlsplit(unescape(link)).query))
        assert unescape(link).startswith(f"{HOME}?")
        assert query["camera"] == CAMERA
        other = Session("planar_chain")
        asked(query, other).show(other)
        assert (query_of(other)["half"], query_of(other)["t"]) == ("1", "0.400")
