"""The web page: one clock, session state, views of it and controls over it."""
