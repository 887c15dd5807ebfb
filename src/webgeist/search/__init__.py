"""Metric, nearest neighbours, sketches, text."""
