"""The command ``armsweep``: what one asks of a terminal, or of a script; the page is one of its answers.

It may import: ``app.studies`` (how long a study takes, in words; no page with it), ``app.messages``, ``scenes.reel``
(pictures packed), the scenes, the mechanics.
Start with ``command``: the commands and their options; each calls a function of ``runs``, ``check`` or ``study``.
"""
