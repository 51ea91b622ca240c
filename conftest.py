"""Which modules the doctest run leaves out: those that need PyTorch, which only training needs."""

collect_ignore = [
    f"src/sunglade/neural/{name}.py" for name in ("network", "train", "export", "measure", "fused", "ladder")
]
