"""All other formulations, each written once as on a blackboard, and the meaning of its letters.

``newton_euler``, ``newton_euler_modified`` and ``lagrange`` (TML), ``appel`` and ``constrained`` (JZ),
``composite_bodies`` and ``inverse_dynamics`` (R87), ``strobing`` (TML), with ``bias`` for the two that need it, and
``group_inverse`` (JZ). They are read together with ``blackboard`` of the textbook. ``letters`` has the letters that
only they use.

It may import: ``textbook``, ``system``, ``numbers``.
Start with ``contents``: the list of formulations, the machines that each serves, its inputs and results.
"""
