"""A URL becomes a Capture: browser, settling, snapshot, screenshot."""
