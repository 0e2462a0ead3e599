"""A lecturer and a class: moments kept for a lecture, followers who see the page live, questions that they answer.

It may import: ``app.replay``, whose page followers get, ``app.saved``, ``app.upload``, ``app.views`` and what they may
import. Start with ``lecture``, the moments; ``lecture_panel`` is what is seen and printed of them.
``present`` is the button: ``lecturer_state`` is what a session tells, ``presentation`` whom, ``server`` the addresses
for followers, ``follow.js`` their page. ``question`` is what a class is asked, ``ask`` the lecturer's sheet.
"""
