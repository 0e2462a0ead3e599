"""The machine, its motion, and the quantities along it.

It may import: ``app.service``, ``app.messages``, ``app.job``, the scenes for the floor's height, and the mechanics.
Start with ``setup``: it contains everything that decides a run. ``run`` computes it leg by leg; ``actuation`` acts on
the joints, ``interventions`` are events during the run, a ``leg`` is the time between two of them. ``build`` has the
choices of a machine, ``assembly`` makes it of them and places arms round an object, ``reach_posture`` finds their
posture. ``quantities`` is the list of what can be plotted, which ``sampler`` reads along the run; ``drawing`` draws the
estimation problem at random.
"""
