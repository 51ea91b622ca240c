"""`sunglade` and its verbs. A verb imports what it needs, so that the light ones answer at once."""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NoReturn

from sunglade import plain_text, system_errors
from sunglade.arguments import Parser
from sunglade.errors import BadRequest, SungladeError
from sunglade.suggest import did_you_mean
from sunglade.words import ENGLISH, Tell, Telling, catalogue, codes, key, saying, speech

if TYPE_CHECKING:
    from sunglade.game import Game
    from sunglade.options import OneOf, Several, Whole
    from sunglade.rules import Rules
    from sunglade.words.keys import Key

WRONG: Final = 2
"""Exit code for input that cannot be used."""
INTERRUPTED: Final = 130
STREAM: Final = "-"
"""Standard input or output, in place of a file."""
PAGE_PORT: Final = 8741
"""Where the game is in this machine's browser: games are kept with it, so it is always the same."""

WELCOME: Final[dict[str, Key]] = {
    "page": "terminal.usage.page",
    "play": "terminal.usage.welcome.play",
    "play --players 3 --modules all --name Ada": "terminal.usage.welcome.moon",
    "play --bot elder --players 4": "terminal.usage.welcome.elder",
    "play --resume": "terminal.usage.welcome.resume",
    "games": "terminal.usage.games",
    "replay {FILE}": "terminal.usage.replay",
    "show {FILE}": "terminal.usage.show",
    "editions": "terminal.usage.editions",
    "analyse {FILE}": "terminal.usage.analyse",
    "arena --bots A B": "terminal.usage.arena",
    "serve": "terminal.usage.serve",
    "engine": "terminal.usage.engine",
    "bench": "terminal.usage.bench",
    "warm": "terminal.usage.warm",
    "config": "terminal.usage.config",
    "completion SHELL": "terminal.usage.completion",
    "man": "terminal.usage.man",
}
"""What can be typed first, and what it does."""
COLUMN: Final = 35
"""Where the list of welcome tells what a command does."""

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
    with ExitStack() as layout:
        return _run(argv, layout)


def _run(argv: Sequence[str] | None, layout: ExitStack) -> int:
    try:
        _choose_language(sys.argv[1:] if argv is None else argv, layout)
        args = _parsed(argv)
        if getattr(args, "english", False) or args.run is _man:  # what operators and programs read
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
    except ModuleNotFoundError as error:
        from sunglade.extras import lacking

        told = lacking(error)
        if told is None:
            raise
        return _complain(told(speech.tell))
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


def _choose_language(argv: Sequence[str], layout: ExitStack) -> None:
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
        if speech.spoken().right_to_left:
            from sunglade.terminal import right_to_left

            layout.enter_context(right_to_left.streams(configuration.bidi()))
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
    """In a terminal the game opens in the browser; to others, and where the page was not built, what can be typed."""
    from sunglade import page_host, site

    if _is_terminal() and site.device_worker() is not None:
        return page_host.run(PAGE_PORT)
    print(welcome())
    return 0


def _is_terminal() -> bool:
    """Whether somebody sits there, to read and to type."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def _page(args: argparse.Namespace) -> int:
    from sunglade import page_host

    return page_host.run(args.port, opens_browser=not args.no_browser, say=partial(print, flush=True))


def welcome() -> str:
    """What the program is, and what can be typed."""
    lines = [speech.tell("terminal.usage.welcome"), ""]
    for command, told in WELCOME.items():
        typed, does = f"  sunglade {command.format(FILE=_word('file'))}", speech.tell(told, weakest="seedling")
        lines += [f"{typed:{COLUMN}}{does}"] if len(typed) < COLUMN else [typed, f"{'':{COLUMN}}{does}"]
    return "\n".join(
        [*lines, "", speech.tell("terminal.usage.welcome.more", command=f"sunglade {_word('verb')} --help")]
    )


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
    _warn_of_interpreting()
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
        raise BadRequest(speech.tell("terminal.analysis.top", option="--top", value=args.top))
    with progress(speech.tell("terminal.progress.turns"), len(analysis.turns_of(game)), quiet=args.quiet) as told:
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


def _evaluate(args: argparse.Namespace) -> int:
    from sunglade import arena, bots
    from sunglade.arena import evaluation, tasks
    from sunglade.bots.imported import is_reference

    if args.tasks:
        for task in tasks.TASKS.values():
            print(f"{task.name:<14}{task.about}; {task.games} games against each of {', '.join(task.opponents)}")
        return 0
    if args.player is None:
        raise BadRequest("name who is to be evaluated, such as sunglade evaluate my_module:Bot --task two.")
    player = arena.Entrant(args.player, not (bots.is_named(args.player) or is_reference(args.player)))
    task = tasks.task_named(args.task)
    folder = Path(args.out) if args.out else arena.evaluation_folder(player, task.name)
    found = evaluation.evaluate(player, task, folder, jobs=args.jobs, quiet=args.quiet)
    print(json.dumps(found) + "\n" if args.json else evaluation.text(found), end="")
    if not args.quiet:
        print(f"The result is in {folder / evaluation.RESULT}, the games beside it.", file=sys.stderr)
    return 0


def _data(args: argparse.Namespace) -> int:
    from sunglade import data
    from sunglade.data import summary

    if args.what == "make":
        plan = data.Plan(
            tuple(args.players), _rules(args), args.bot, args.nodes, args.seed, args.explore, args.random_setup
        )
        data.make_set(plan, args.games, Path(args.folder), jobs=args.jobs, quiet=args.quiet)
        args.paths = [args.folder]
    found = data.load(*args.paths)
    found.records  # noqa: B018 - replayed, so that what does not hold is refused
    told = summary.summary(found)
    print(json.dumps(told) + "\n" if args.json else summary.text(told), end="")
    return 0


def _serve(args: argparse.Namespace) -> int:
    from sunglade.kernel.compiler import is_cold
    from sunglade.server import cli as server_cli

    if not args.openapi and is_cold():
        _warm(argparse.Namespace(search=False))
    return server_cli.run(args)


def _site(args: argparse.Namespace) -> int:
    from sunglade.site import write_site

    size = write_site(Path(args.folder))
    print(f"{args.folder} holds the game as static files, {size / 1e6:.1f} MB: put that folder on any web host.")
    return 0


def _tables(args: argparse.Namespace) -> int:
    from sunglade.server import cli as server_cli

    return server_cli.keep(args)


def _warn_of_interpreting() -> None:
    """Say so where the rules run slowly and nobody wished it."""
    from sunglade.extras import install
    from sunglade.prebuilt.way import interprets_for_want

    if interprets_for_want():
        print(speech.tell("terminal.command.interpreted", command=install("numba")), file=sys.stderr)


def _engine(args: argparse.Namespace) -> int:
    from sunglade import engine

    _warn_of_interpreting()
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

    speech.speak(ENGLISH)  # its words in capitals tell what can stand there
    print("\n".join(candidates(_parser(), args.words)))
    return 0


def _man(args: argparse.Namespace) -> int:
    from sunglade import configuration, manual

    print(manual.page(_parser(), welcome(), str(configuration.file())), end="")
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


def _parser() -> argparse.ArgumentParser:
    from sunglade.server import cli as server_cli

    parser = Parser(prog="sunglade", description=_help("terminal.usage.goal"))
    parser.add_argument("--version", action=Version, nargs=0, help=_help("terminal.usage.version"))
    _add_language(parser)
    parser.set_defaults(run=_welcome, parser=parser)
    verbs = parser.add_subparsers(title=_help("terminal.usage.verbs"), metavar=_word("verb"))

    def verb(
        name: str, run: Callable[[argparse.Namespace], int], more: str = "", *, english: bool = False
    ) -> argparse.ArgumentParser:
        return _add_verb(verbs, name, key(f"terminal.usage.{name}"), more, english=english, run=run)

    _add_play_options(verb("play", _play))
    _add_page_options(verb("page", _page))
    _add_games_options(verb("games", _games, f" ({speech.isolated(_data_folder())})"))
    replaying = verb("replay", _replay)
    replaying.add_argument("file", metavar=_word("file"), help=_help("terminal.usage.file"))
    replaying.add_argument("--json", action="store_true", help=_help("terminal.usage.replay.json"))
    replaying.add_argument("--all", action="store_true", help=_help("terminal.usage.replay.all"))
    replaying.add_argument("--at", type=_number, metavar="N", help=_help("terminal.usage.replay.at"))
    _add_no_color(replaying)
    showing = verb("show", _show)
    showing.add_argument("file", metavar=_word("file"), nargs="?", help=_help("terminal.usage.file"))
    example = "'sunglade/1 …'"
    showing.add_argument(
        "--position", metavar=_word("text"), help=_help("terminal.usage.show.position", example=example)
    )
    showing.add_argument("--svg", metavar="OUT.svg", help=_help("terminal.usage.show.svg"))
    showing.add_argument("--json", action="store_true", help=_help("terminal.usage.json.state"))
    _add_no_color(showing)
    telling = verb("editions", _editions)
    named = _help("terminal.usage.editions.name", examples="us, us1, he")
    telling.add_argument("name", metavar=_word("edition"), nargs="?", help=named)
    telling.add_argument("--json", action="store_true", help=_help("terminal.usage.json"))
    _add_no_color(telling)
    _add_analyse_options(verb("analyse", _analyse))
    _add_arena_options(verb("arena", _arena, english=True))
    _add_evaluate_options(verb("evaluate", _evaluate, english=True))
    _add_data_options(verb("data", _data, english=True))
    server_cli.add_options(verb("serve", _serve, english=True))
    publishing = verb("site", _site, english=True)
    publishing.add_argument("folder", metavar="DIR", help="a new folder, or an older site, which is replaced")
    server_cli.add_keeping_options(verb("tables", _tables, english=True))
    answering = verb("engine", _engine, english=True)
    answering.formatter_class = argparse.RawDescriptionHelpFormatter
    answering.epilog = ENGINE_HELP
    measuring = verb("bench", _bench, english=True)
    measuring.add_argument("--json", action="store_true", help="the figures for programs")
    measuring.add_argument("--limit", metavar="PATH", help="compare with the C++ yardstick in this folder")
    measuring.add_argument(
        "--games", type=_number, metavar="N", help="how many games to measure, without the first compile"
    )
    measuring.add_argument("--envs", action="store_true", help="measure the environments, too")
    measuring.add_argument("--search", action="store_true", help="measure the tree search instead, one and two threads")
    verb("config", _config)
    completing = verb("completion", _completion)
    completing.add_argument("shell", choices=["bash", "zsh", "fish"])
    verb("man", _man)
    answering_shells = verbs.add_parser("complete")  # for shells, so no help tells of it
    answering_shells.set_defaults(run=_complete)
    answering_shells.add_argument("words", nargs="*")
    warming = verb("warm", _warm, english=True)
    warming.add_argument("--search", action="store_true", help="the tree search of the bots, too (about a minute)")
    return parser


def _help(message: Key, /, tell: Tell = speech.tell, **arguments: str | int) -> str:
    """A message as argparse takes it: percent signs mean something there."""
    return tell(message, **arguments).replace("%", "%%")


def _word(name: str, tell: Tell = speech.tell) -> str:
    """A word in capitals, for what is typed in its place."""
    return tell(key(f"terminal.word.{name}"))


def _add_verb(
    verbs: argparse._SubParsersAction[Any],
    name: str,
    told: Key,
    more: str = "",
    *,
    english: bool = False,
    **defaults: object,
) -> argparse.ArgumentParser:
    """A verb that tells, in the list and in its own help, what it does."""
    tell: Tell = catalogue(ENGLISH).tell if english else speech.tell
    does = f"{tell(told)}{more}"
    description = does[0].upper() + does[1:] + "."
    listed = f"{speech.tell(told)}{more}".replace("%", "%%")
    new: argparse.ArgumentParser = verbs.add_parser(name, help=listed, description=description, english=english)
    new.set_defaults(parser=new, english=english, **defaults)
    _add_language(new, tell, **OR_BEFORE)
    return new


def _add_page_options(parser: argparse.ArgumentParser) -> None:
    """Where the page is, and whether the browser opens."""
    port = _help("terminal.usage.page.port", usual=str(PAGE_PORT))
    parser.add_argument("--port", type=_number, default=PAGE_PORT, metavar="N", help=port)
    parser.add_argument("--no-browser", action="store_true", help=_help("terminal.usage.page.no_browser"))


def _add_analyse_options(parser: argparse.ArgumentParser) -> None:
    """Whose judgement, and how long it may take."""
    parser.add_argument("file", metavar=_word("file"), help=_help("terminal.usage.file"))
    judges = _help("terminal.usage.analyse.bot", examples="elder, neural, search", usual="elder")
    parser.add_argument("--bot", metavar=_word("bot"), help=judges)
    parser.add_argument("--nodes", type=_number, metavar="N", help=_help("terminal.usage.analyse.nodes"))
    parser.add_argument("--ms", type=_number, metavar="N", help=_help("terminal.usage.analyse.ms"))
    parser.add_argument("--top", type=_number, default=5, metavar="N", help=_help("terminal.usage.analyse.top"))
    parser.add_argument("--json", action="store_true", help=_help("terminal.usage.json"))
    parser.add_argument("--quiet", action="store_true", help=_help("terminal.usage.quiet"))


def _data_folder() -> str:
    """Where kept games lie."""
    from sunglade.terminal_folder import games_folder

    return str(games_folder())


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


OR_BEFORE: Final[dict[str, Any]] = {"default": argparse.SUPPRESS}
"""Of an option that may stand before the verb, too: where it is not repeated after it, it still holds."""


def _add_games_options(parser: argparse.ArgumentParser) -> None:
    """List, show, delete."""
    parser.set_defaults(what="list")
    parser.add_argument("--all", action="store_true", help=_help("terminal.usage.games.all", number=20))
    parser.add_argument("--json", action="store_true", help=_help("terminal.usage.json"))
    _add_no_color(parser)
    doing = parser.add_subparsers(title=_help("terminal.usage.games.what"), metavar=_word("what"))
    showing = _add_verb(doing, "show", "terminal.usage.games.show", what="show")
    showing.add_argument("game", metavar=_word("game"), help=_help("terminal.usage.games.game"))
    showing.add_argument("--json", **OR_BEFORE, action="store_true", help=_help("terminal.usage.json.state"))
    _add_no_color(showing, **OR_BEFORE)
    deleting = _add_verb(doing, "delete", "terminal.usage.games.delete", what="delete")
    deleting.add_argument("game", metavar=_word("game"), nargs="+", help=_help("terminal.usage.games.games"))
    deleting.add_argument("--yes", action="store_true", help=_help("terminal.usage.games.yes"))


def _add_play_options(parser: argparse.ArgumentParser) -> None:
    """Table, rules and modules. Values are judged by `Rules`, which says what would be right."""
    parser.add_argument("--terminal", action="store_true", help=_help("terminal.usage.play.terminal"))
    resuming = _help("terminal.usage.play.resume", command="sunglade games")
    parser.add_argument("--resume", nargs="?", const="", metavar=_word("game"), help=resuming)
    parser.add_argument("--load", metavar=_word("file"), help=_help("terminal.usage.play.load"))
    _add_no_color(parser)
    table = parser.add_argument_group(_help("terminal.usage.play.table"))
    _add_players(table)
    levels = "seedling sapling birch maple oak sequoia elder"
    sitting = _help("terminal.usage.play.seat", human="human", usual="maple", levels=levels)
    table.add_argument("--seat", action="append", default=[], metavar=_word("who"), help=sitting)
    opponent = _help("terminal.usage.play.bot", program='"python my_bot.py"')
    table.add_argument("--bot", action="append", default=[], metavar=_word("bot"), help=opponent)
    named = _help("terminal.usage.play.name")
    table.add_argument("--name", action="append", default=[], metavar=_word("name"), help=named)
    table.add_argument("--seed", type=_number, metavar="N", help=_help("terminal.usage.play.seed"))
    _add_rule_options(parser)


def _add_players(group: argparse._ActionsContainer, tell: Tell = speech.tell) -> None:
    told = _help("terminal.usage.play.players", tell, low=2, high=4, usual=2)
    group.add_argument("--players", type=_number, metavar="N", help=told)


def _add_arena_options(parser: argparse.ArgumentParser) -> None:
    """Who plays, how many games, how long, where the results go, by which rules."""
    parser.add_argument(
        "--bots",
        nargs="+",
        default=[],
        metavar="BOT",
        help="names with settings, such as greedy search:ms=50, or objects in Python, my_module:Bot; as many as "
        "there are seats: exactly these, rotated; more: every choice of them; fewer: they fill the seats evenly",
    )
    parser.add_argument(
        "--bot", action="append", default=[], metavar="COMMAND", help='a program, such as "python my_bot.py"'
    )
    _add_players(parser, catalogue(ENGLISH).tell)
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
    _add_rule_options(parser, catalogue(ENGLISH).tell)


def _add_evaluate_options(parser: argparse.ArgumentParser) -> None:
    """Who, at which task, where the result goes."""
    parser.add_argument(
        "player", metavar="BOT", nargs="?", help='a name with settings, my_module:Bot, or a program: "python my_bot.py"'
    )
    parser.add_argument("--task", default="two", metavar="TASK", help="what is played (two)")
    parser.add_argument("--tasks", action="store_true", help="list the tasks")
    parser.add_argument("--jobs", type=_number, default=1, metavar="N", help="games at a time (1)")
    parser.add_argument("--out", metavar="FOLDER", help="result and games; the same again goes on (below evaluation/)")
    parser.add_argument("--json", action="store_true", help="the result for programs")
    parser.add_argument("--quiet", action="store_true", help="only the result")


def _add_data_options(parser: argparse.ArgumentParser) -> None:
    """Make a set, or look whether one is sound."""
    doing = parser.add_subparsers(title="what to do", metavar="WHAT", dest="what", required=True)
    making = doing.add_parser("make", help="play games into a folder; the same again goes on")
    making.set_defaults(parser=making)
    making.add_argument("folder", metavar="DIR", help="where they go: a new folder, or one with games made likewise")
    making.add_argument("--games", type=_number, default=100, metavar="N", help="how many there are to be (100)")
    making.add_argument("--bot", default="neural", metavar="BOT", help="who plays: a bot that searches (neural)")
    making.add_argument("--nodes", type=_number, default=400, metavar="N", help="simulations for each action (400)")
    making.add_argument(
        "--players", type=_number, nargs="+", default=[2], metavar="N", help="how many play; several: by turns (2)"
    )
    making.add_argument(
        "--explore", type=_number, default=2, metavar="ROUNDS", help="so long actions are drawn by their visits (2)"
    )
    making.add_argument("--random-setup", action="store_true", help="play the set-up at random, without a search")
    making.add_argument("--seed", type=_number, default=0, metavar="N", help="what everything follows from (0)")
    making.add_argument("--jobs", type=_number, default=1, metavar="N", help="games at a time (1)")
    making.add_argument("--quiet", action="store_true", help="only the summary")
    _add_rule_options(making, catalogue(ENGLISH).tell)
    checking = doing.add_parser("check", help="replay games, and sum them up")
    checking.set_defaults(parser=checking)
    checking.add_argument("paths", metavar="PATH", nargs="+", help="folders or files")
    for each in (making, checking):
        each.add_argument("--json", action="store_true", help="the summary for programs")


def _add_rule_options(parser: argparse.ArgumentParser, tell: Tell = speech.tell) -> None:
    """Edition, options and modules."""
    from sunglade.rules import EDITIONS, OPTIONS

    explained = _help("terminal.usage.play.rules.note", tell, command="sunglade editions")
    rules = parser.add_argument_group(_help("terminal.usage.play.rules", tell), explained)
    rules.add_argument("--edition", metavar=_word("edition", tell), help=f"{', '.join(EDITIONS)} (us)")
    moon = parser.add_argument_group(_help("expansion.name", tell))
    for name, option in OPTIONS.items():
        group = moon if option.module or name == "modules" else rules
        group.add_argument(_typed(name), help=_meaning(name, tell), **_reading(option.kind, tell))


def _meaning(option: str, tell: Tell) -> str:
    """What an option of the rules is about, as the client tells it."""
    if option == "modules":
        return _help("terminal.usage.play.modules", tell)
    note = tell(key(f"option.{option}.note"))
    return _help("common.pair", tell, name=tell(key(f"option.{option}")), value=note)


def _reading(kind: Whole | OneOf | Several, tell: Tell) -> dict[str, Any]:
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
    return {"nargs": "+", "metavar": "|".join((*MODULES, "all")) if kind.words == MODULES else _word("space", tell)}


def _add_language(parser: argparse.ArgumentParser, tell: Tell = speech.tell, **more: Any) -> None:
    told = _help("terminal.usage.language", tell, languages=", ".join(codes()))
    parser.add_argument("--language", **more, metavar=_word("language", tell), help=told)


def _add_no_color(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("--no-color", **more, action="store_true", help=_help("terminal.usage.no_color"))
