"""A position in one line, rules included, exact: what FEN is for chess.

    sunglade/1 2 us turn:1:0:0:0:0 A1..B1/...../....../......./....../...../.A1.B1 light=2,2,0,0 …

Format, players, rules, then `phase:round:sun:first:player:turn`, then the seven rows (a point for an empty space, else
the owner A–D and the size 0–3), then what differs from the start of such a game, by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

from sunglade import board, kernel
from sunglade.board import NAMES
from sunglade.deal import Deal
from sunglade.errors import BadRequest, SungladeError
from sunglade.gamefile import FORMAT, GameData
from sunglade.kernel.actions import ABILITIES
from sunglade.kernel.printed import TOKEN_COUNT, TOKEN_PILES
from sunglade.kernel.record import PHASES, Record
from sunglade.kernel.shortlist import packed, unpacked
from sunglade.kernel.tokens import owned_token, token_owner, token_value
from sunglade.notation import SEATS
from sunglade.options import Several
from sunglade.possible import check_possible
from sunglade.rules import ANIMALS, BABIES, OPTIONS, Rules, check_players
from sunglade.words import saying

_NUMBERS: Final = ("light", "available", "slots", "taken", "fresh", "animal", "at", "lunar", "steps", "effects",
                   "stones_left", "baby_points")  # fmt: skip
_SPACES: Final = ("activated", "elder", "stones", "dam", "face_down")
_LISTS: Final[dict[str, tuple[str, ...]]] = {"used": ABILITIES, "hatched": BABIES, "babies": BABIES}
_CLOCK: Final = ("current_round", "sun", "first", "player", "turn")
_CLOCK_SHAPE: Final = "phase:round:sun:first:player:turn"


def to_text(s: Record, rules: Rules) -> str:
    """The one-line form of a position."""
    start = kernel.new_record(rules, s.players)
    clock = ":".join([PHASES[s.phase], *(str(getattr(s, name)) for name in _CLOCK)])
    words = [FORMAT, str(s.players), _rules_text(rules), clock, _board_text(s)]
    changed = [name for name in _NUMBERS if s.numbers(name) != start.numbers(name)]
    words += [f"{name}={','.join(map(str, s.numbers(name)))}" for name in changed]
    words += [f"{name}={'+'.join(board.names_of(spaces))}" for name in _SPACES if (spaces := getattr(s, name))]
    words += [f"{name}={'+'.join(_list_names(name, codes))}" for name in _LISTS if (codes := getattr(s, name))]
    if any(s.dealt):
        hands = ("+".join(ANIMALS[card] for card in board.spaces_in(hand)) for hand in s.dealt[: s.players])
        words.append(f"dealt={','.join(hands)}")
    if s.collected:
        tokens = s.tokens[: s.collected]
        words.append("tokens=" + "+".join(f"{SEATS[token_owner(token)]}{token_value(token)}" for token in tokens))
    return " ".join(words)


def _rules_text(rules: Rules) -> str:
    options = rules.to_dict()
    edition = options.pop("edition")
    return ";".join([edition, *(f"{name}={_option_text(value)}" for name, value in options.items())])


def _option_text(value: Any) -> str:
    return "+".join(value) if isinstance(value, list) else json.dumps(value).strip('"')


def _board_text(s: Record) -> str:
    at = {
        space: f"{SEATS[p]}{size}"
        for p in range(s.players)
        for size in range(4)
        for space in board.spaces_in(s.pieces[p, size])
    }
    rows = [[space for space in board.SPACES if NAMES[space][0] == row] for row in board.ROWS]
    return "/".join("".join(at.get(space, ".") for space in row) for row in rows)


def _list_names(name: str, codes: int) -> list[str]:
    return ["?" if code == 0 else _LISTS[name][code - 1] for code in unpacked(codes)]


def from_text(text: str) -> tuple[Rules, Record]:
    """Rules and record of a position string. Anything that cannot be a position of a game is refused."""
    if not isinstance(text, str):
        raise BadRequest(saying("terminal.file.action", name="position", value=f"{text!r:.60}"))
    words = text.split()
    if len(words) < 5 or words[0] != FORMAT:
        raise BadRequest(saying("terminal.position.begin", format=repr(FORMAT)))
    return _parsed(words)


def _parsed(words: list[str]) -> tuple[Rules, Record]:
    players = check_players(_whole(words[1], "players"))
    rules = Rules.from_dict(_rules_from(words[2]))
    s = kernel.new_record(rules, players)
    phase, *clock = words[3].split(":")
    if phase not in PHASES or len(clock) != len(_CLOCK):
        raise BadRequest(saying("terminal.position.clock", clock=_CLOCK_SHAPE, value=f"{words[3]!r:.60}"))
    s.phase = PHASES.index(phase)
    for name, value in zip(_CLOCK, clock, strict=True):
        setattr(s, name, _whole(value, name))
    _read_board(s, words[4])
    names = [word.partition("=")[0] for word in words[5:]]
    if len(set(names)) < len(names):
        raise BadRequest(saying("terminal.position.once"))
    for word in words[5:]:
        with _named_if_unreadable(word):
            _read_field(s, word)
    taken = s.elder | s.stones
    for spaces in s.numbers("pieces"):
        taken |= spaces
    s.empty = board.ALL_SPACES & ~taken
    check_possible(s, rules)
    return rules, s


@contextmanager
def _named_if_unreadable(part: str) -> Iterator[None]:
    """A part of the line that means nothing is named."""
    try:
        yield
    except SungladeError:
        raise
    except (ValueError, IndexError, KeyError, OverflowError):
        raise BadRequest(saying("terminal.position.unread", value=f"{part!r:.60}")) from None


def _whole(text: str, name: str) -> int:
    try:
        if not text.removeprefix("-").isdecimal() or not text.isascii():
            raise ValueError
        number = int(text)
    except ValueError:
        raise BadRequest(saying("terminal.file.whole", name=name, value=f"{text!r:.40}")) from None
    if not -(1 << 63) <= number < 1 << 63:
        raise BadRequest(saying("terminal.position.range", field=name, value=f"{text:.40}"))
    return number


def _rules_from(text: str) -> dict[str, Any]:
    edition, *options = text.split(";")
    found: dict[str, Any] = {"edition": edition}
    for option in options:
        name, _, value = option.partition("=")
        if name not in OPTIONS:
            raise BadRequest(saying("terminal.rules.unknown", option=f"{name!r:.40}", options=", ".join(OPTIONS)))
        if isinstance(OPTIONS[name].kind, Several):
            found[name] = [word for word in value.split("+") if word]
        else:
            words = {"true": True, "false": False, "null": None}
            found[name] = words[value] if value in words else int(value) if value.lstrip("-").isdigit() else value
    return found


def _read_board(s: Record, text: str) -> None:
    rows = text.split("/")
    if len(rows) != len(board.ROWS):
        raise BadRequest(saying("terminal.position.rows", wanted=len(board.ROWS), given=len(rows)))
    space = 0
    for letter, row in zip(board.ROWS, rows, strict=True):
        pieces = row.replace(".", ". ").split() if "." in row else [row]
        with _named_if_unreadable(row):
            cells = [cell for piece in pieces for cell in _cells(piece)]
        wanted = sum(name[0] == letter for name in NAMES)
        if len(cells) != wanted:
            counts = {"wanted": wanted, "given": len(cells)}
            raise BadRequest(saying("terminal.position.row", row=letter, value=f"{row!r:.60}", **counts))
        for owner, size in cells:
            if owner is not None:
                s.pieces[owner, size] |= 1 << space
            space += 1


def _cells(text: str) -> list[tuple[int | None, int]]:
    """The spaces written in a piece of a row."""
    cells: list[tuple[int | None, int]] = []
    while text:
        if text[0] == ".":
            cells.append((None, 0))
            text = text[1:]
        else:
            cells.append((SEATS.index(text[0]), "0123".index(text[1])))
            text = text[2:]
    return cells


def _read_field(s: Record, word: str) -> None:
    name, _, value = word.partition("=")
    if name in _NUMBERS:
        numbers = [_whole(part, name) for part in value.split(",")]
        if len(numbers) != len(s.numbers(name)):
            counts = {"wanted": len(s.numbers(name)), "given": len(numbers)}
            raise BadRequest(saying("terminal.position.numbers", field=name, **counts))
        s.write(name, numbers)
    elif name in _SPACES:
        setattr(s, name, board.set_of(board.SPACE_NAMED[space] for space in value.split("+")))
    elif name in _LISTS:
        codes = [0 if item == "?" else _LISTS[name].index(item) + 1 for item in value.split("+")]
        setattr(s, name, packed(codes))
    elif name == "dealt":
        for seat, hand in enumerate(value.split(",")):
            s.dealt[seat] = board.set_of(ANIMALS.index(card) for card in hand.split("+"))
    elif name == "tokens":
        for token in value.split("+"):
            owner, points = SEATS.index(token[0]), _whole(token[1:], "tokens")
            if s.collected >= TOKEN_COUNT or not any(points in pile for pile in TOKEN_PILES):
                raise ValueError
            s.tokens[s.collected] = owned_token(owner, points)
            s.score[owner] += points
            s.collected += 1
    else:
        raise KeyError


def packed_babies(babies: tuple[str | None, ...]) -> int:
    """Babies of the shore spaces as the record has them."""
    return packed([0 if baby is None else BABIES.index(baby) + 1 for baby in babies])


def data_of(s: Record, rules: Rules) -> GameData:
    """What a position tells of its deal, for a game that begins there."""
    codes = [s.babies >> (4 * place) & 15 for place in range(6)]
    babies = tuple(None if code == 0 else BABIES[code - 1] for code in codes)
    hands = tuple(tuple(ANIMALS[card] for card in board.spaces_in(s.dealt[p])) for p in range(s.players))
    deal = Deal(hands, babies)  # type: ignore[arg-type]
    return GameData(s.players, rules, None, deal, [], position=to_text(s, rules))


def with_babies(text: str, babies: tuple[str | None, ...]) -> str:
    """The same position with other babies on the shore, or unknown ones; without a moon there are none."""
    rules, s = from_text(text)
    s.babies = packed_babies(babies) if "moon" in rules.modules else 0
    return to_text(s, rules)
