"""The compiled text of every sweep: for one state, for eight in the lanes of a register, for counting numbers.

There are at most three texts of a recursion. ``textbook`` is the one to read; the one here gives every stage of every
link to ``forward_dynamics``, ``forward_dynamics_batch`` and ``count_operations``; ``lanes`` is the hot path of a
solver and an integrator. The one here is needed for the benchmark rows ``batch`` and ``page``: a frame may cost 5 ms,
and the textbook alone takes 7. ``tests/dynamics`` checks that all agree over random systems: batch, lanes,
textbook.
``contact_gain``, ``corrected`` and ``transport`` are plain NumPy: they are computed on request.

It may import: ``system``, ``spatial``, ``compiler``.
Start with ``filter_smoother``: the stages in their order; ``inward_filter``: the first of them.
"""
