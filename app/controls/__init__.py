"""What changes the session: each control calls one of its methods."""
