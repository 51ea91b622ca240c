"""The neural player: features, network, inference; training and self-play apart (heavy imports stay out of play)."""
