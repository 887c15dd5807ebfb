"""Annotators: what words, numbers, arrows, class names and pictures say about a node."""
