"""The machine and its motion, from a preset to a computed run.

It may import: ``app.assembly``, ``app.service``, ``app.messages``, the scenes, for the height of the floor, and the
mechanics.
Start with ``setup``: it contains everything that decides a run. ``run`` computes it leg by leg; ``actuation`` acts on
the joints, ``interventions`` are events during the run, a ``leg`` is the time between two of them.
"""
