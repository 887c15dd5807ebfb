"""Relations: the rows and columns of what a page repeats, from an example or from nothing."""
