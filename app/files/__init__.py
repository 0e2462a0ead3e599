"""Files of a user: an own robot's, and a whole session's.

A robot file is uploaded by a button, kept in the user's browser, and sent again for a link. A session's file holds the
parameters of its link, the robots' own texts, and the kept runs.

It may import: ``app.state``, ``app.service``, and from ``app.views`` the base of instruments.
Start with ``upload``: *Model*, and what is wrong in a file; ``kept_files``: limits, and the browser's storage;
``session_file``: how a file becomes a session again, without trust, and the buttons.
"""
