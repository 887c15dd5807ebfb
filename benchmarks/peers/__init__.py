"""Other crawlers, each as a program of its own that runs in a virtual environment of its own."""
