"""What captures mean: pure functions from captures to tables."""
