"""A bot in one file, with nothing but Python's standard library. Copy it and make it better.

    sunglade play --bot "python examples/starter_bot.py"
    sunglade arena --bots greedy --bot "python examples/starter_bot.py"

One request a line on standard input, one answer a line on standard output. A request has everything: the game so far,
the position, and every action that is legal now; so the rules need not be written again here. Whatever is printed to
standard error is for you. The program ends when its input does.
"""

import json
import sys
from typing import Any

COLLECT_ROUNDS = 6
"""Collect when so many rounds are left: until then a tall tree brings three light each round."""
SEEDS = 3


def soil(space: str) -> int:
    """Leaves on a space: 1 at the edge, 4 in the centre (rows a to g have 4 5 6 7 6 5 4 spaces)."""
    return 4 - distance(space, "d4")


def choose(state: dict[str, Any], legal: list[str]) -> str:
    """The action to play: one of `legal`."""
    me, spaces = state["player"], state["spaces"]
    left = state["rounds"] - state["round"]
    by_verb: dict[str, list[list[str]]] = {}
    for line in legal:
        verb, *rest = line.split()
        by_verb.setdefault(verb, []).append(rest)

    if "place" in by_verb:  # two small trees at the start: far from all others
        return "place " + max(
            (rest[0] for rest in by_verb["place"]), key=lambda space: distance_to_others(space, spaces)
        )
    if "end" not in by_verb:  # the rest of the set-up: whatever comes first
        return legal[0]
    if "collect" in by_verb and left < COLLECT_ROUNDS:
        return "collect " + max((rest[0] for rest in by_verb["collect"]), key=soil)
    if "grow" in by_verb:
        return "grow " + max((rest[0] for rest in by_verb["grow"]), key=soil)
    own = [piece["size"] for piece in spaces.values() if piece["owner"] == me]
    for size, name in ((3, "large"), (2, "medium"), (1, "small")):  # what a tree could grow into
        if f"buy {name}" in legal and not state["players"][me]["available"][size] and size - 1 in own and left:
            return f"buy {name}"
    if left > 4 and own.count(0) < SEEDS:
        if "plant" in by_verb:
            return "plant " + " ".join(max(by_verb["plant"], key=lambda rest: soil(rest[1])))
        if "buy seed" in legal:
            return "buy seed"
    return "end"


def distance_to_others(space: str, spaces: dict[str, Any]) -> int:
    """How far the next piece is; 9 when there is none."""
    return min((distance(space, other) for other in spaces), default=9)


def distance(a: str, b: str) -> int:
    """Steps between two spaces."""
    (qa, ra), (qb, rb) = axial(a), axial(b)
    return max(abs(qa - qb), abs(ra - rb), abs(qa + ra - qb - rb))


def axial(space: str) -> tuple[int, int]:
    """Coordinates in which distances are easy."""
    r = "abcdefg".index(space[0]) - 3
    return int(space[1]) - 4 - min(r, 0), r


def main() -> None:
    """Answer requests until there are no more."""
    for line in sys.stdin:
        request = json.loads(line)
        answer = {"id": request["id"], "action": choose(request["state"], request["legal"])}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
