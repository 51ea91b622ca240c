"""The board as text and as a picture."""
def text(s): return "board"
def svg(s): return "<svg/>"
