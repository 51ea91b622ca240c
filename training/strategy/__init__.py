"""What the network knows about the game: its games are played, counted and told in docs/strategy.md."""
