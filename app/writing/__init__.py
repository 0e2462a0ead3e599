"""*Write it*: the text with lines left blank; what is typed runs at once on the moment of the page, and is judged.

It may import: ``app.equations``, ``app.views`` and what they may import.
Start with ``write_it``: the whole; ``feedback_html``: what is said of a line; ``editor``: where it is typed. What is
typed and what is right of it is the session's (``app.state.writing``); what a line may be, and which mistake it has, is
the mechanics' (``dyn.attempt``).
"""
