"""The kernel's functions as they were compiled when the package was built, if they were: no compiler is needed then.

What `python -m sunglade.prebuilding` makes lies in this folder: for each kind of machine a library and a page of JSON
that says which functions it has, what they take and give, and for exactly which sources it was made.
"""
