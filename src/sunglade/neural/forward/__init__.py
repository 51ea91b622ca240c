"""The network's answer in compiled code: the same on every machine that the rules run on, and in a page."""
