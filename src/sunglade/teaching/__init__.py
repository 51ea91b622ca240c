"""The teacher: why an action is good, which turns lost a game, the best end of a last turn, puzzles.

Everything here is measured: actions are played on copies, coming suns are looked at. Nothing is invented, and nothing
that lies face down is told (M-SETUP-4). What it cannot say stands in docs/teaching.md.
"""
