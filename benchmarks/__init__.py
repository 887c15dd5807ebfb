"""Measurements, as ratios to a peer, a baseline or a lower bound in the same run.

python -m benchmarks capture|record [--short] [--json] [--only PART]
"""
