"""Commit log, skip blocks, relations, programs, demonstrations, runner."""
