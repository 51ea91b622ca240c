"""What a set of games holds, in a few numbers."""

from __future__ import annotations

from typing import Any

from sunglade.data.dataset import Dataset


def summary(data: Dataset) -> dict[str, Any]:
    """Games and positions, and how the games ended, by the number of players."""
    players, columns = data.columns["players"], data.columns
    return {
        "games": data.games,
        "positions": len(data),
        "made": [about for place, about in enumerate(data.about) if about not in data.about[:place]],
        "players": {
            str(count): {
                "games": int((players == count).sum()),
                "points": [round(float(mean), 1) for mean in columns["points"][players == count].mean(0)[:count]],
                "shares": [round(float(mean), 3) for mean in columns["share"][players == count].mean(0)[:count]],
            }
            for count in sorted(set(players.tolist()))
        },
    }


def text(found: dict[str, Any]) -> str:
    """The same for people."""
    lines = [f"{found['games']} games, {found['positions']} positions, all as the rules have them"]
    for count, told in found["players"].items():
        points = " ".join(f"{mean:.1f}" for mean in told["points"])
        shares = " ".join(f"{mean:.1%}" for mean in told["shares"])
        lines.append(f"{count} players: {told['games']} games; mean points by seat {points}; wins by seat {shares}")
    for made in found["made"]:
        rules = ", ".join(f"{name} {value}" for name, value in made["rules"].items())
        lines.append(f"made by {made['bot']} with {made['nodes']} simulations an action, seed {made['seed']}; {rules}")
    return "\n".join(lines) + "\n"
