"""Simulated years of the server: its real rooms on a seeded loop, with virtual time and everything that can go wrong.

`make simulate` runs it; `docs/reliability.md` tells what it has found.
"""
