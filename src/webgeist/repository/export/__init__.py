"""Tables of a release in forms that other tools open."""
