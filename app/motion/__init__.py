"""What moves and what is done to it: from a preset to a computed run.

It may import: ``app.assembly``, ``app.service``, ``app.messages``, the scenes, for the height of the floor, and the
mechanics.
Start with ``setup``: it says everything that decides a run. ``run`` computes it leg by leg; ``actuation`` is what acts
on the joints, ``interventions`` what happens in the middle, ``leg`` what happens between two of them.
"""
