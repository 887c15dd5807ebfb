"""A small web of our own on loopback: for the demo, the tests and the docs."""
