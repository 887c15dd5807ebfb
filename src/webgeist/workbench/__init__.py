"""The web interface."""
