"""Ratings: how strong people are, by games that were agreed to count.

`reckoning.py` says what a result is worth, `book.py` keeps it, `desk.py` looks for results and answers.
"""
