"""What shows the session. A view reads the state, computes no mechanics, and sends only what changed."""
