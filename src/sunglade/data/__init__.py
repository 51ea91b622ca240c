"""Sets of strong games to learn from: `sunglade data make` plays them, `load` reads them as arrays.

A set is a folder of files with columns (docs/data.md). It holds games and what the search thought in each position; the
positions themselves are replayed by the kernel, so they cannot disagree with the rules.
"""

from sunglade.extras import naming_the_extra

with naming_the_extra("sunglade.data"):
    from sunglade.data.dataset import Batch, Dataset, load
    from sunglade.data.making import make_set
    from sunglade.data.plan import Plan

__all__ = ["Batch", "Dataset", "Plan", "load", "make_set"]
