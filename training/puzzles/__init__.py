"""Mining the puzzles that are shipped: src/sunglade/teaching/puzzles.json."""
