"""The method and all other formulations as the papers write them, in plain NumPy, one numbered equation a line.

The method's text is ``arm``, ``contact`` and ``free_flyer``; ``stages`` lists the parts that a system needs, with the
letters of one state, ``symbols`` describes them. The other formulations are ``newton_euler``,
``newton_euler_modified``, ``lagrange`` and ``strobing`` (TML), ``appel``, ``constrained`` and ``group_inverse`` (JZ),
``composite_bodies`` and ``inverse_dynamics`` (R87), with ``bias``; ``letters`` has the letters that only they use. All
are read beside ``blackboard``, which defines ``I``, ``O``, ``Z``, ``o``, ``solve``, ``least``, ``null``, ``stack`` and
``tilde``.

It may import: ``system``, ``spatial``, and no compiled recursion.
Start with ``arm``: the inward filter and the outward smoother; ``contact``: several arms and an object;
``free_flyer``: the second filter; ``contents``: the list of formulations, the machines that each serves.
"""
