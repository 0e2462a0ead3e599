"""*Write it*: the text with blank lines; a typed line runs at once on the moment of the page, and is judged.

It may import: ``app.equations``, ``app.views`` and what they may import.
Start with ``write_it``: the instrument and its field; ``feedback_html``: the feedback on a line. The session keeps the
typed lines (``app.state.writing``); ``dynamics.reading`` judges them.
"""
