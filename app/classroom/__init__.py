"""A lecturer and a class: moments kept for a lecture, followers who see the page live, and questions to them.

It may import: ``app.replay``, whose page followers get, ``app.files``, ``app.files``, ``app.views`` and what they may
import. Start with ``lecture``, the moments; ``lecture_panel`` shows and prints them.
``present`` is the button: ``lecturer_state`` is the state that followers get, ``presentation`` sends it, ``server`` has
their addresses, ``follow.js`` is their page. ``question`` is a question to a class, ``ask`` the lecturer's sheet.
"""
