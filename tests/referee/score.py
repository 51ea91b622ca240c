"""Points and winners (R-END)."""

from referee.position import Player, Position


def points(position: Position, player: Player) -> int:
    """What the score would be if the game ended now (R-END-1, M-MOON-6, M-ANIMAL-4-POINTS)."""
    light = player.light + 2 if position.options.leftover == "up" else player.light
    lunar = player.lunar if "moon" in position.options.modules else 0
    return sum(player.tokens) + light // 3 + lunar + player.baby_points


def winners(position: Position) -> list[int]:
    """Most points; then most pieces on the board; then they share (R-END-2)."""
    results = {}
    for player in position.players:
        pieces = sum(piece.owner == player.seat for piece in position.board.values())
        results[player.seat] = (points(position, player), pieces)
    return [seat for seat, result in results.items() if result == max(results.values())]
