"""VICD, the paper's own network: the baseline that webgeist's models are compared with."""
