"""The method as the papers write it: the one text of it, in plain NumPy, and what it starts from.

``posture`` and ``blackboard`` give it its letters, ``symbols`` says what they are, ``stages`` which parts a system
needs.

It may import: ``system``, ``numbers``, and no compiled recursion.
Start with ``arm``: the inward filter and the outward smoother; ``contact``: several arms and an object;
``free_flyer``: the second filter.
"""
