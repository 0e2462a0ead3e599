"""The command ``armsweep`` for a terminal or a script; serving the page is one of its commands.

It may import: ``app.instruments.study`` (the words for durations, not the page), ``app.messages``, ``scenes.reel``
(pictures packed), the scenes, the mechanics.
Start with ``command``: the commands and their options; each calls a function of ``runs``, ``check`` or ``study``.
"""
