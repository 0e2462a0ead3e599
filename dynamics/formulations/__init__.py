"""Every other formulation, each written once as one would at the blackboard, and what its letters stand for.

``newton_euler``, ``newton_euler_modified`` and ``lagrange`` (TML), ``appel`` and ``constrained`` (JZ),
``composite_bodies`` and ``inverse_dynamics`` (R87), ``strobing`` (TML), with ``bias`` for the two that need it, and
``group_inverse`` (JZ). They are read beside ``blackboard`` of the textbook. ``letters`` says what is theirs alone,
``givens`` what they start from.

It may import: ``textbook``, ``system``, ``numbers``.
Start with ``contents``: which there are, for which machines, and what each arrives at.
"""
