"""The compiled text of every sweep: for one state, for eight in the lanes of a register, for counting numbers.

Of a recursion there are three texts at most. ``textbook`` is the one to read; the one here gives every stage of every
link to ``forward_dynamics``, to ``forward_dynamics_batch`` and to ``count_operations``; ``lanes`` is the hot path of a
solver and an integrator. Without this one the benchmarks' rows ``batch`` and ``page`` are lost: a frame may cost 5 ms,
of which the textbook alone takes 7. All are held equal over random systems in ``tests/dynamics``: batch, lanes,
textbook.
``contact_gain``, ``corrected`` and ``transport`` are plain NumPy: they are made when somebody looks.

It may import: ``system``, ``numbers``, ``compiler``.
Start with ``filter_smoother``: the stages in their order; ``inward_filter``: the first of them.
"""
