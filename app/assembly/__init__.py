"""Robots put together into one machine: bolted down, held with others round an object, or floating.

``build.py`` says what was chosen, as values; ``assembled.py`` makes a system and a start of it, and is where to read
first. Postures and places are chosen here, mechanics is ``dynamics``'. May import ``dynamics`` alone.
"""
