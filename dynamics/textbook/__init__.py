"""The method as the papers write it: the one text of it, in plain NumPy, and what it starts from.

The text is ``arm``, ``contact`` and ``free_flyer``, and is read beside ``blackboard``: what its letters stand on, the
matrices ``I``, ``O``, ``Z``, ``o``, and what ``solve``, ``least``, ``null``, ``stack`` and ``tilde`` mean. ``givens``
gives it the letters of one state, ``symbols`` says what they are, ``stages`` which parts a system needs.

It may import: ``system``, ``numbers``, and no compiled recursion.
Start with ``arm``: the inward filter and the outward smoother; ``contact``: several arms and an object;
``free_flyer``: the second filter.
"""
