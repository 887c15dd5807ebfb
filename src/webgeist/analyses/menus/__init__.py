"""Segments, cliques, menus, sites, hierarchy."""
