"""Semantic labels and their classifiers."""
