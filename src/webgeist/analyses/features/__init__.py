"""Features of blocks, GIST, descriptors; plugins."""
