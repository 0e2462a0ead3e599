"""The estimation problem drawn at random: sums over many draws, and what so many may show by chance.

It may import: the mechanics.
Start with ``drawing``: draws in slices; ``sums``: what is kept of them; ``chance``: what is to be expected of N draws;
``whiteness``: whether innovations are white.
"""
