"""The web page: one clock, session state, views of it and controls over it.

It may import: ``app.classroom``, ``app.opening``, ``app.kept_runs``, ``app.saved``, ``app.replay``,
``app.walker``, ``app.instruments``, ``app.formulations``, ``app.cost``, ``app.papers``, ``app.compare``,
``app.studies``, ``app.editor``, ``app.lessons``, ``app.writing``, ``app.welcome``, ``app.screen``, ``app.controls``,
``app.upload``, ``app.views``, ``app.service`` and what they may import.
Start with ``page``: the layout and the keys; ``clock``: the one task that advances a session.
"""
