"""The method as the papers write it: its one text, in plain NumPy, and its inputs.

The text is ``arm``, ``contact`` and ``free_flyer``, to be read beside ``blackboard``, which defines the matrices
``I``, ``O``, ``Z``, ``o``, and ``solve``, ``least``, ``null``, ``stack`` and ``tilde``. ``stages`` lists the parts that
a system needs and provides the letters of one state, ``symbols`` describes them.

It may import: ``system``, ``numbers``, and no compiled recursion.
Start with ``arm``: the inward filter and the outward smoother; ``contact``: several arms and an object;
``free_flyer``: the second filter.
"""
