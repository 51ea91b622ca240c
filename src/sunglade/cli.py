"""`sunglade` and its verbs. A verb imports what it needs, so that the light ones answer at once."""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sunglade import plain_text, system_errors
from sunglade.errors import BadRequest, SungladeError
from sunglade.suggest import did_you_mean
from sunglade.words import ENGLISH, Telling, codes, saying, speech

if TYPE_CHECKING:
    from sunglade.game import Game
    from sunglade.options import OneOf, Several, Whole
    from sunglade.rules import Rules

WRONG: Final = 2
"""Exit code for input that cannot be used."""
INTERRUPTED: Final = 130
STREAM: Final = "-"
"""Standard input or output, in place of a file."""

WELCOME: Final = """\
Sunglade: trees race for light. Unofficial fan software for the board game Photosynthesis.

  sunglade play                    play in the terminal, against a bot or with friends
  sunglade play --players 3 --modules all --name Ada
                                   three players, Under the Moonlight, your name
  sunglade play --bot elder --players 4
                                   against three of the strongest; seedling is the weakest
  sunglade play --resume           go on with the last game
  sunglade games                   the games kept so far: list, show, delete
  sunglade replay FILE             step through a saved game
  sunglade show FILE               the board of a saved game, as text, SVG or JSON
  sunglade editions                how the ten rulebooks differ; options and modules
  sunglade analyse FILE            what each turn of a saved game was worth, and what was better
  sunglade arena --bots A B        bots against each other: ratings with intervals
  sunglade serve                   a server with tables, bots and spectators
  sunglade engine                  the JSON-lines engine for other programs
  sunglade bench                   measure the speed
  sunglade warm                    compile the rules ahead of time
  sunglade config, completion, man your settings, Tab in your shell, the manual page

`sunglade VERB --help` tells more about a verb.\
"""


ENGINE_HELP: Final = """\
One request a line; one answer a line, with the same id. For example:
  {"id": 1, "cmd": "version"}
      version, protocol, editions and bots
  {"id": 2, "cmd": "state", "game": {"players": 2, "actions": ["place a1"]}}
      the position after these actions, and every legal action
  {"id": 3, "cmd": "trace", "game": {"players": 2, "actions": ["place a1"]}}
      the same before the first action and after each
  {"id": 4, "cmd": "think", "game": {"players": 2}, "bot": "maple", "ms": 500}
      what a bot would play in so much time; one that searches also tells values
  {"id": 5, "cmd": "stop", "stop": 4}
      end the thinking of request 4 now
Games, actions, states and errors are told in docs/protocol.md.\
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code. Whatever is wrong with the input is one sentence on stderr."""
    _survive_poor_terminals()
    try:
        _choose_language(sys.argv[1:] if argv is None else argv)
        args = _parsed(argv)
        if args.run in (_engine, _serve):  # programs read what these say
            speech.speak(ENGLISH)
        run: Callable[[argparse.Namespace], int] = args.run
        code = run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return code
    except SungladeError as error:
        return _complain(error.told_by(speech.tell))
    except BrokenPipeError:
        # Whoever read our output has gone; say nothing more, not even while Python shuts down.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WRONG
    except OSError as error:
        return _complain(_refused_by_system(error))
    except KeyboardInterrupt:
        _complain(speech.tell("terminal.command.interrupted"))
        return INTERRUPTED


def _complain(message: str) -> int:
    print(f"sunglade: {message}", file=sys.stderr)
    return WRONG


def _refused_by_system(error: OSError) -> str:
    wrong = f"{system_errors.reason(error, speech.tell)}."
    return speech.tell("terminal.at", place=str(error.filename), wrong=wrong) if error.filename else wrong


def _survive_poor_terminals() -> None:
    """A terminal that lacks a sign shows another that is like it; input that is no text becomes a question mark."""
    plain_text.register()
    for stream, errors in ((sys.stdin, "replace"), (sys.stdout, plain_text.NAME), (sys.stderr, plain_text.NAME)):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors=errors)


def _choose_language(argv: Sequence[str]) -> None:
    """Known before anything is said: by `--language` wherever it stands, the settings or the system."""
    from sunglade import configuration

    speech.speak(ENGLISH)
    finder = Parser(add_help=False, allow_abbrev=False)
    _add_language(finder)
    named = finder.parse_known_args(argv)[0].language
    language = speech.choose(named, "" if named else configuration.language())
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    if speech.can_be_shown(language, encoding):
        speech.speak(language)
        return
    name = language if named is None else named
    print(speech.tell("terminal.language.unshown", encoding=encoding, language=name), file=sys.stderr)


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The command line as its verb reads it; what is left over is refused by that verb, which knows what is near."""
    args, left = _parser().parse_known_args(argv)
    if left:
        verb: argparse.ArgumentParser = args.parser
        near = did_you_mean(left[0].partition("=")[0], verb._option_string_actions)
        wrong = speech.tell("terminal.command.unknown", command=verb.prog, option=f"{left[0]!r:.60}")
        raise BadRequest(wrong + near)
    return args


def _colour(args: argparse.Namespace) -> bool | None:
    """No colours where somebody wants none; otherwise as the terminal is."""
    from sunglade import configuration

    return False if args.no_color or configuration.load().colour == "never" else None


# Verbs


def _welcome(args: argparse.Namespace) -> int:
    print(WELCOME)
    return 0


def _play(args: argparse.Namespace) -> int:
    from sunglade import configuration, terminal

    _refuse_new_rules(args)
    own = configuration.load()
    colour = _colour(args)
    if args.resume is None and not args.load:
        args.name = args.name or ([own.name] if own.name and (args.seat or ["human"])[0] == "human" else [])
        args.bot = args.bot or ([own.bot] if own.bot and not args.seat else [])
        args.edition = args.edition or own.edition or None
    players, rules = _agreed(args)
    table = terminal.seats(players, args.seat, args.name, args.bot)
    terminal.prepare()
    if args.resume is not None:
        terminal.resume(args.resume, colour=colour)
    elif args.load:
        game = _loaded(args.load, then_typed=True)
        told = (args.seat, args.name, args.bot)
        table = terminal.seats(game.players, *told) if any(told) else terminal.seats_of(game)
        terminal.play(game, table, colour=colour, file=None if args.load == STREAM else Path(args.load))
    else:
        terminal.play(_new_game(players, rules, args.seed), table, colour=colour)
    return 0


def _refuse_new_rules(args: argparse.Namespace) -> None:
    """A game that goes on has its rules already."""
    resumed = args.resume is not None
    if not resumed and not args.load:
        return
    from sunglade.rules import OPTIONS

    going_on = "--resume" if resumed else "--load"
    agreed = ["players", "edition", "seed", *OPTIONS, *(["load", "seat", "name", "bot"] if resumed else [])]
    given = [name for name in agreed if getattr(args, name) not in (None, [])]
    if given:
        raise BadRequest(speech.tell("terminal.command.as_it_is", option=going_on, other=_typed(given[0])))


def _agreed(args: argparse.Namespace) -> tuple[int, Rules]:
    """Players and rules as the command line has them, checked."""
    from sunglade.rules import check_players

    given = len(args.seat or ["human"]) + len(args.bot)
    players = args.players if args.players is not None else max(2, given, len(args.name))
    return check_players(players), _rules(args)


def _rules(args: argparse.Namespace) -> Rules:
    """The rules as the command line has them."""
    from sunglade.options import must_be
    from sunglade.rules import EDITIONS, OPTIONS, Rules, one_of_the_editions

    options = {name: getattr(args, name) for name in OPTIONS if getattr(args, name) is not None}
    if "modules" in options:
        options["modules"] = _modules(options["modules"])
    if options.get("light_cap") == "none":
        options["light_cap"] = None
    if args.edition is not None and args.edition not in EDITIONS:
        raise BadRequest(must_be("--edition", one_of_the_editions, args.edition))
    for name, value in options.items():
        if not OPTIONS[name].kind.holds(value):
            raise BadRequest(must_be(_typed(name), _wanted(OPTIONS[name].kind), value))
    rules = Rules.from_dict({"edition": args.edition or "us", **options})
    for name in options:
        module = OPTIONS[name].module
        if module and module not in rules.modules:
            belongs = {"option": _typed(name), "module": module, "add": f"--modules {module}"}
            raise BadRequest(speech.tell("terminal.rules.module", **belongs))
    return rules


def _typed(option: str) -> str:
    """An option of the rules as it is typed."""
    return f"--{option.replace('_', '-')}"


def _wanted(kind: Whole | OneOf | Several) -> Telling:
    """What would be right, in the words of the command line."""
    from sunglade.options import Several, Whole
    from sunglade.rules import MODULES

    if isinstance(kind, Whole):
        return lambda tell: kind.wanted(tell, none="none")
    if isinstance(kind, Several) and kind.words == MODULES:
        return saying("terminal.rules.modules.typed", words=", ".join(f'"{word}"' for word in MODULES))
    return kind.wanted


def _new_game(players: int, rules: Rules, seed: int | None) -> Game:
    """A new game; chance decides the deal unless a seed does."""
    from sunglade.game import Game

    return Game(players, rules, seed=random.SystemRandom().randrange(1 << 31) if seed is None else seed)


def _modules(words: list[str]) -> list[str]:
    """`moon elder`, `moon,elder`, `all` or `none`."""
    from sunglade.rules import MODULES

    chosen = [word for text in words for word in text.split(",") if word]
    return list(MODULES) if chosen == ["all"] else [] if chosen == ["none"] else chosen


def _loaded(path: str, *, then_typed: bool = False) -> Game:
    """The game in a file, or on standard input for `-`, where a person may type after it."""
    from sunglade.game import Game

    if path != STREAM:
        return Game.load(path)
    text = sys.stdin.buffer.read()
    try:
        game = Game.from_json(text)
    except SungladeError as error:
        raise error.within(saying("terminal.command.stream")) from None
    if then_typed:
        _hear_the_keyboard()
    return game


def _hear_the_keyboard() -> None:
    """After standard input was read to its end, what is typed comes from the terminal, where there is one."""
    if sys.stdout.isatty() and os.name == "posix":
        with suppress(OSError):  # a process without a terminal of its own
            os.dup2(os.open("/dev/tty", os.O_RDONLY), sys.stdin.fileno())


def _games(args: argparse.Namespace) -> int:
    from sunglade.terminal import kept

    colour = _colour(args)
    if args.what == "delete":
        kept.delete_games(args.game, yes=args.yes)
    elif args.what == "show":
        kept.show_game(args.game, as_json=args.json, colour=colour)
    else:
        kept.list_games(everything=args.all, as_json=args.json, colour=colour)
    return 0


def _replay(args: argparse.Namespace) -> int:
    from sunglade.terminal import prepare
    from sunglade.terminal.replaying import as_data, replay

    prepare()
    game = _loaded(args.file, then_typed=True)
    if args.json:
        print(json.dumps(as_data(game, at=args.at)))
    else:
        replay(game, everything=args.all, at=args.at, colour=_colour(args))
    return 0


def _show(args: argparse.Namespace) -> int:
    from sunglade.game import Game
    from sunglade.gamefile import save_text
    from sunglade.terminal import prepare
    from sunglade.terminal.showing import show

    if (args.file is None) == (args.position is None):
        raise BadRequest(speech.tell("terminal.show.what", position="--position 'sunglade/1 …'"))
    prepare()
    game = _loaded(args.file) if args.position is None else Game.from_position(args.position)
    if args.svg == STREAM:
        if args.json:
            raise BadRequest(speech.tell("terminal.show.both", svg="--svg -", json="--json"))
        print(game._repr_svg_())
    elif args.svg:
        save_text(args.svg, game._repr_svg_() + "\n")
        print(speech.tell("terminal.show.drawn", file=args.svg), file=sys.stderr if args.json else sys.stdout)
    if args.json:
        print(json.dumps({"state": game.state(), "legal": game.legal}))
    elif not args.svg:
        show(game, colour=_colour(args))
    return 0


def _editions(args: argparse.Namespace) -> int:
    from sunglade.terminal import edition_table

    if args.json:
        print(json.dumps(edition_table.as_data(args.name), indent=2))
    elif args.name:
        edition_table.show_one(args.name, colour=_colour(args))
    else:
        edition_table.show(colour=_colour(args))
    return 0


def _analyse(args: argparse.Namespace) -> int:
    from sunglade import analysis
    from sunglade.progress import progress

    game = _loaded(args.file)
    if args.top < 0:
        raise BadRequest(f"--top must be a whole number from 0, not {args.top}.")
    with progress("turns", len(analysis.turns_of(game)), quiet=args.quiet) as told:
        told.loading()
        found = analysis.analyse(game, args.bot or analysis.JUDGE, ms=args.ms, nodes=args.nodes, report=told.done)
    print(json.dumps(found.to_dict(args.top)) + "\n" if args.json else analysis.text(found, args.top), end="")
    return 0


def _arena(args: argparse.Namespace) -> int:
    from sunglade import arena
    from sunglade.arena import report

    rules = _rules(args)
    players = 2 if args.players is None else args.players
    entrants = arena.entrants(args.bots, args.bot)
    plan = arena.Plan(entrants, players, args.ms, args.seed, args.grace, rules, args.random_setup)
    folder = Path(args.out) if args.out else arena.default_folder(plan)
    results = arena.hold(plan, args.games, folder, jobs=args.jobs, quiet=args.quiet)
    print(json.dumps(report.summary(plan, results)) + "\n" if args.json else report.text(plan, results), end="")
    if not args.quiet:
        print(f"Games and results are in {folder}.", file=sys.stderr)
    return 0


def _serve(args: argparse.Namespace) -> int:
    from sunglade.kernel.compiler import is_cold
    from sunglade.server import cli as server_cli

    if not args.openapi and is_cold():
        _warm(argparse.Namespace(search=False))
    return server_cli.run(args)


def _tables(args: argparse.Namespace) -> int:
    from sunglade.server import cli as server_cli

    return server_cli.keep(args)


def _engine(args: argparse.Namespace) -> int:
    from sunglade import engine

    return engine.main()


def _bench(args: argparse.Namespace) -> int:
    from sunglade import bench

    options: dict[str, Any] = {"as_json": args.json, "limit": args.limit}
    if args.search:
        if args.games is not None or args.envs:
            raise BadRequest("--search measures the tree search only; leave out --games and --envs.")
        return bench.search_main(**options)
    options |= {"games": args.games} if args.games is not None else {}
    options |= {"envs": True} if args.envs else {}
    return bench.main(**options)


def _config(args: argparse.Namespace) -> int:
    from sunglade import configuration

    print(configuration.shown())
    return 0


def _completion(args: argparse.Namespace) -> int:
    from sunglade.completion import SCRIPTS

    print(SCRIPTS[args.shell], end="")
    return 0


def _complete(args: argparse.Namespace) -> int:
    from sunglade.completion import candidates

    print("\n".join(candidates(_parser(), args.words)))
    return 0


def _man(args: argparse.Namespace) -> int:
    from sunglade import configuration, manual

    print(manual.page(_parser(), WELCOME, str(configuration.file())), end="")
    return 0


def _warm(args: argparse.Namespace) -> int:
    from sunglade import warm

    return warm.main(search=args.search)


# The parser


class Version(argparse.Action):
    """Tells the version, and how the rules run here."""

    def __call__(self, parser: argparse.ArgumentParser, *arguments: object) -> NoReturn:
        from sunglade import __version__
        from sunglade.prebuilt.way import described

        print(f"sunglade {__version__}, the rules {described()}")
        parser.exit()


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, as everything else here does."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command line."""
        told = re.sub(r"'?\bcomplete\b'?, ", "", message)  # which is for shells; not every Python quotes choices
        wrong = re.search(r"invalid choice: '([^']*)' \(choose from (.*)\)$", told)
        near = did_you_mean(wrong[1], re.findall(r"[\w-]+", wrong[2])) if wrong else ""
        raise BadRequest(f"{told}; see `{self.prog} --help`.{near}")


def _parser() -> argparse.ArgumentParser:
    from sunglade.server import cli as server_cli

    parser = Parser(prog="sunglade", description="Trees race for light.")
    parser.add_argument("--version", action=Version, nargs=0, help="show version and kind of code, then exit")
    _add_language(parser)
    parser.set_defaults(run=_welcome, parser=parser)
    verbs = parser.add_subparsers(title="verbs", metavar="VERB")

    def verb(name: str, run: Callable[[argparse.Namespace], int], what: str) -> argparse.ArgumentParser:
        return _add_verb(verbs, name, what, run=run)

    _add_play_options(verb("play", _play, "play in the terminal"))
    _add_games_options(verb("games", _games, f"list, show and delete the games that were kept ({_data_folder()})"))
    replaying = verb("replay", _replay, "step through a saved game")
    replaying.add_argument("file", metavar="FILE", help=FROM_STREAM)
    replaying.add_argument("--json", action="store_true", help="every position for programs")
    replaying.add_argument("--all", action="store_true", help="print every step and end")
    replaying.add_argument("--at", type=_number, metavar="N", help="begin after action N; 0 is the start")
    _add_no_color(replaying)
    showing = verb("show", _show, "show the board of a saved game or a position")
    showing.add_argument("file", metavar="FILE", nargs="?", help=FROM_STREAM)
    showing.add_argument("--position", metavar="TEXT", help="a position in one line, 'sunglade/1 …'")
    showing.add_argument("--svg", metavar="OUT.svg", help="write a picture instead; - is standard output")
    showing.add_argument("--json", action="store_true", help="print state and legal actions instead")
    _add_no_color(showing)
    telling = verb("editions", _editions, "tell how the editions differ, and what options and modules there are")
    telling.add_argument("name", metavar="EDITION", nargs="?", help="one edition in full: us, us1, he …")
    telling.add_argument("--json", action="store_true", help="the same for programs")
    _add_no_color(telling)
    judging = verb("analyse", _analyse, "tell what each turn of a saved game was worth, and what was better")
    judging.add_argument("file", metavar="FILE", help=FROM_STREAM)
    judging.add_argument("--bot", metavar="BOT", help="who judges: elder, neural, search … (elder)")
    judging.add_argument("--nodes", type=_number, metavar="N", help="simulations for a position (5000, at most 0.3 s)")
    judging.add_argument("--ms", type=_number, metavar="N", help="milliseconds for each position instead")
    judging.add_argument("--top", type=_number, default=5, metavar="N", help="how many of the worst turns to tell (5)")
    judging.add_argument("--json", action="store_true", help="the same for programs")
    judging.add_argument("--quiet", action="store_true", help="no progress")
    _add_arena_options(verb("arena", _arena, "let bots play against each other, and rate them"))
    server_cli.add_options(verb("serve", _serve, "serve tables to browsers and programs"))
    server_cli.add_keeping_options(verb("tables", _tables, "look after a server's tables, and who is served"))
    answering = verb("engine", _engine, "answer JSON lines on standard input")
    answering.formatter_class = argparse.RawDescriptionHelpFormatter
    answering.epilog = ENGINE_HELP
    measuring = verb("bench", _bench, "measure the speed")
    measuring.add_argument("--json", action="store_true", help="the figures for programs")
    measuring.add_argument("--limit", metavar="PATH", help="compare with the C++ yardstick in this folder")
    measuring.add_argument(
        "--games", type=_number, metavar="N", help="how many games to measure, without the first compile"
    )
    measuring.add_argument("--envs", action="store_true", help="measure the environments, too")
    measuring.add_argument("--search", action="store_true", help="measure the tree search instead, one and two threads")
    verb("config", _config, "show your settings (name, language, bot, edition, colour) and the file they stand in")
    completing = verb("completion", _completion, "print what makes Tab complete in a shell: source it")
    completing.add_argument("shell", choices=["bash", "zsh", "fish"])
    verb("man", _man, "print the manual page: `sunglade man | man -l -` shows it")
    answering_shells = verbs.add_parser("complete")  # for shells, so no help tells of it
    answering_shells.set_defaults(run=_complete)
    answering_shells.add_argument("words", nargs="*")
    warming = verb("warm", _warm, "compile the rules ahead of time")
    warming.add_argument("--search", action="store_true", help="the tree search of the bots, too (about a minute)")
    return parser


def _add_verb(
    verbs: argparse._SubParsersAction[Any], name: str, told: str, **defaults: object
) -> argparse.ArgumentParser:
    """A verb that tells, in the list and in its own help, what it does."""
    new: argparse.ArgumentParser = verbs.add_parser(name, help=told, description=told[0].upper() + told[1:] + ".")
    new.set_defaults(parser=new, **defaults)
    _add_language(new, **OR_BEFORE)
    return new


def _data_folder() -> str:
    """Where kept games lie, as help tells it: percent signs mean something there."""
    from sunglade.terminal_folder import games_folder

    return str(games_folder()).replace("%", "%%")


def _number(text: str) -> int:
    """A whole number, or a sentence that says so."""
    try:
        return int(text)
    except ValueError:
        wrong = speech.tell("terminal.command.not_whole", value=f"{text!r:.60}")
        raise argparse.ArgumentTypeError(wrong) from None


def _number_or_none(text: str) -> int | str:
    """A whole number or the word none."""
    try:
        return text if text == "none" else int(text)
    except ValueError:
        wrong = speech.tell("terminal.command.not_whole.or_none", value=f"{text!r:.60}")
        raise argparse.ArgumentTypeError(wrong) from None


FROM_STREAM: Final = "- is standard input"


OR_BEFORE: Final[dict[str, Any]] = {"default": argparse.SUPPRESS}
"""Of an option that may stand before the verb, too: where it is not repeated after it, it still holds."""


def _add_games_options(parser: argparse.ArgumentParser) -> None:
    """List, show, delete."""
    parser.set_defaults(what="list")
    parser.add_argument("--all", action="store_true", help="list all of them, not only the newest 20")
    parser.add_argument("--json", action="store_true", help="the same for programs")
    _add_no_color(parser)
    doing = parser.add_subparsers(title="what", metavar="WHAT")
    showing = _add_verb(doing, "show", "show the board of a kept game", what="show")
    showing.add_argument("game", metavar="GAME", help="its number in the list, its name, or how that begins")
    showing.add_argument("--json", **OR_BEFORE, action="store_true", help="print state and legal actions instead")
    _add_no_color(showing, **OR_BEFORE)
    deleting = _add_verb(doing, "delete", "delete kept games for good", what="delete")
    deleting.add_argument("game", metavar="GAME", nargs="+", help="numbers or names")
    deleting.add_argument("--yes", action="store_true", help="do not ask")


def _add_play_options(parser: argparse.ArgumentParser) -> None:
    """Table, rules and modules. Values are judged by `Rules`, which says what would be right."""
    parser.add_argument("--terminal", action="store_true", help="in the terminal; it always is")
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="GAME",
        help="go on with the newest game that is not over, or with a number or name from `sunglade games`",
    )
    parser.add_argument("--load", metavar="FILE", help=f"go on with a saved game; {FROM_STREAM}")
    _add_no_color(parser)
    table = parser.add_argument_group("the table")
    table.add_argument("--players", type=_number, metavar="N", help="2 to 4 (2)")
    table.add_argument(
        "--seat",
        action="append",
        default=[],
        metavar="WHO",
        help="human or a bot, one for each seat in turn (human, then maple); "
        "the levels are seedling sapling birch maple oak sequoia elder",
    )
    table.add_argument(
        "--bot",
        action="append",
        default=[],
        metavar="BOT",
        help='a bot on the next seat, by name or as a program: "python my_bot.py"; the last one takes all seats left',
    )
    table.add_argument("--name", action="append", default=[], metavar="NAME", help="a name for each seat in turn")
    table.add_argument("--seed", type=_number, metavar="N", help="makes the deal and the bots repeatable")
    _add_rule_options(parser)


def _add_arena_options(parser: argparse.ArgumentParser) -> None:
    """Who plays, how many games, how long, where the results go, by which rules."""
    parser.add_argument(
        "--bots",
        nargs="+",
        default=[],
        metavar="BOT",
        help="names with settings, such as greedy search:ms=50; as many as there are seats: exactly these, rotated; "
        "more: every choice of them; fewer: they fill the seats evenly",
    )
    parser.add_argument(
        "--bot", action="append", default=[], metavar="COMMAND", help='a program, such as "python my_bot.py"'
    )
    parser.add_argument("--players", type=_number, metavar="N", help="2 to 4 (2)")
    parser.add_argument(
        "--games", type=_number, default=100, metavar="N", help="rounded up so that seats balance (100)"
    )
    parser.add_argument("--jobs", type=_number, default=1, metavar="N", help="games at a time (1)")
    parser.add_argument("--ms", type=_number, default=500, metavar="N", help="milliseconds for a whole turn (500)")
    parser.add_argument(
        "--grace", type=_number, default=1000, metavar="MS", help="how late loses the game, beyond 50 ms (1000)"
    )
    parser.add_argument("--seed", type=_number, default=0, metavar="N", help="what deals and choices follow from (0)")
    parser.add_argument("--random-setup", action="store_true", help="play the set-up at random, for every seat alike")
    parser.add_argument("--out", metavar="FOLDER", help="games and results; the same again goes on (below arena/)")
    parser.add_argument("--json", action="store_true", help="the summary for programs")
    parser.add_argument("--quiet", action="store_true", help="only the summary")
    _add_rule_options(parser)


def _add_rule_options(parser: argparse.ArgumentParser) -> None:
    """Edition, options and modules."""
    from sunglade.rules import EDITIONS, OPTIONS

    rules = parser.add_argument_group(
        "the rules", "an edition, and what shall differ from it; `sunglade editions` explains"
    )
    rules.add_argument("--edition", metavar="EDITION", help=f"{', '.join(EDITIONS)} (us)")
    moon = parser.add_argument_group("Under the Moonlight")
    for name, option in OPTIONS.items():
        group = moon if option.module or name == "modules" else rules
        group.add_argument(_typed(name), help=option.meaning, **_reading(option.kind))


def _reading(kind: Whole | OneOf | Several) -> dict[str, Any]:
    """How an option of a kind is read from the command line."""
    from sunglade.options import SWITCH, OneOf, Whole
    from sunglade.rules import MODULES

    if kind == SWITCH:
        return {"action": argparse.BooleanOptionalAction}
    if isinstance(kind, OneOf):
        numbers = {"type": _number} if isinstance(kind.values[0], int) else {}
        return {"metavar": "|".join(map(str, kind.values)), **numbers}
    if isinstance(kind, Whole):
        limits = f"{kind.low}–{kind.high}"
        if kind.or_none:
            return {"type": _number_or_none, "metavar": f"{limits}|none"}
        return {"type": _number, "metavar": limits}
    return {"nargs": "+", "metavar": "|".join((*MODULES, "all")) if kind.words == MODULES else "SPACE"}


def _add_language(parser: argparse.ArgumentParser, **more: Any) -> None:
    told = f"speak {', '.join(codes())} (the settings', else the system's)"
    parser.add_argument("--language", **more, metavar="LANGUAGE", help=told)


def _add_no_color(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("--no-color", **more, action="store_true", help="no colours (so does the variable NO_COLOR)")
