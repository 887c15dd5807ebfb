"""Looks at pages again and again, and tells who wants to know of what changed in them."""
