"""The command ``armsweep``: what one asks of a terminal, or of a script; the page is one of its answers.

It may import: ``app.studies`` (how long a study takes, in words; no page with it), ``app.walker`` (a half-step in one
sentence), ``scenes.reel`` (pictures packed), the scenes, the mechanics.
Start with ``command``: what there is to say; each of its commands is one call of a neighbor, loaded once it is asked.
"""
