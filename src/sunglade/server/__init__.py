"""The table: a server that keeps tables, seats, bots and spectators. `sunglade serve` starts it (docs/api.md)."""
