"""Which plural a count takes, by the rules of Unicode's CLDR, for whole numbers: nothing else is counted here.

>>> [category("ru", count) for count in (1, 3, 5, 21)]
['one', 'few', 'many', 'one']
>>> category("ja", 1)
'other'
"""

from __future__ import annotations

from collections.abc import Callable


def category(language: str, count: int) -> str:
    """The category of a count, as `Intl.PluralRules` in a browser has it."""
    count = abs(count)
    return next((name for name, holds in _RULES.get(language, _ONE).items() if holds(count)), "other")


def categories(language: str) -> tuple[str, ...]:
    """All categories that whole numbers have in a language."""
    return (*_RULES.get(language, _ONE), "other")


Rules = dict[str, Callable[[int], bool]]


def _among(*counts: int) -> Callable[[int], bool]:
    return lambda n: n in counts


def _millions(n: int) -> bool:
    return n != 0 and n % 1_000_000 == 0


def _tens_one(n: int) -> bool:
    return n % 10 == 1 and n % 100 != 11


def _two_to_four(n: int) -> bool:
    return 2 <= n % 10 <= 4 and not 12 <= n % 100 <= 14


_ONE: Rules = {"one": _among(1)}
"""Most languages: one, and all the rest."""
_UP_TO_ONE: Rules = {"one": _among(0, 1)}
_BY_TENS: Rules = {"one": _tens_one}
_DUAL: Rules = {"one": _among(1), "two": _among(2)}
_ZERO: Rules = {"zero": _among(0), "one": _among(1)}
_ROMANCE: Rules = {"one": _among(1), "many": _millions}
_FRENCH: Rules = {"one": _among(0, 1), "many": _millions}
_EAST_SLAVIC: Rules = {
    "one": _tens_one,
    "few": _two_to_four,
    "many": lambda n: not _tens_one(n) and not _two_to_four(n),
}
_SOUTH_SLAVIC: Rules = {"one": _tens_one, "few": _two_to_four}
_CZECH: Rules = {"one": _among(1), "few": _among(2, 3, 4)}
_SLOVENE: Rules = {
    "one": lambda n: n % 100 == 1,
    "two": lambda n: n % 100 == 2,
    "few": lambda n: n % 100 in (3, 4),
}
_PHILIPPINE: Rules = {"one": lambda n: n in (1, 2, 3) or n % 10 not in (4, 6, 9)}
_LATVIAN: Rules = {
    "zero": lambda n: n % 10 == 0 or 11 <= n % 100 <= 19,
    "one": _tens_one,
}
_ARABIC: Rules = {
    "zero": _among(0),
    "one": _among(1),
    "two": _among(2),
    "few": lambda n: 3 <= n % 100 <= 10,
    "many": lambda n: 11 <= n % 100 <= 99,
}
_ALONE: dict[str, Rules] = {
    "br": {
        "one": lambda n: n % 10 == 1 and n % 100 not in (11, 71, 91),
        "two": lambda n: n % 10 == 2 and n % 100 not in (12, 72, 92),
        "few": lambda n: n % 10 in (3, 4, 9) and not (10 <= n % 100 <= 19 or 70 <= n % 100 <= 79 or n % 100 >= 90),
        "many": _millions,
    },
    "cy": {"zero": _among(0), "one": _among(1), "two": _among(2), "few": _among(3), "many": _among(6)},
    "ga": {"one": _among(1), "two": _among(2), "few": lambda n: 3 <= n <= 6, "many": lambda n: 7 <= n <= 10},
    "gd": {"one": _among(1, 11), "two": _among(2, 12), "few": lambda n: 3 <= n <= 10 or 13 <= n <= 19},
    "gv": {"one": lambda n: n % 10 == 1, "two": lambda n: n % 10 == 2, "few": lambda n: n % 20 == 0},
    "kw": {
        "zero": _among(0),
        "one": _among(1),
        "two": lambda n: (
            n % 100 in (2, 22, 42, 62, 82)
            or (n % 1000 == 0 and (1000 <= n % 100_000 <= 20_000 or n % 100_000 in (40_000, 60_000, 80_000)))
            or n % 1_000_000 == 100_000
        ),
        "few": lambda n: n % 100 in (3, 23, 43, 63, 83),
        "many": lambda n: n % 100 in (1, 21, 41, 61, 81),
    },
    "lt": {
        "one": lambda n: n % 10 == 1 and not 11 <= n % 100 <= 19,
        "few": lambda n: 2 <= n % 10 <= 9 and not 11 <= n % 100 <= 19,
    },
    "mt": {
        "one": _among(1),
        "two": _among(2),
        "few": lambda n: n == 0 or 3 <= n % 100 <= 10,
        "many": lambda n: 11 <= n % 100 <= 19,
    },
    "pl": {"one": _among(1), "few": _two_to_four, "many": lambda n: n != 1 and not _two_to_four(n)},
    "ro": {"one": _among(1), "few": lambda n: n == 0 or 1 <= n % 100 <= 19},
    "sgs": {
        "one": lambda n: n % 10 == 1 and n % 100 != 11,
        "two": _among(2),
        "few": lambda n: 2 <= n % 10 <= 9 and not 11 <= n % 100 <= 19,
    },
    "shi": {"one": _among(0, 1), "few": lambda n: 2 <= n <= 10},
    "tzm": {"one": lambda n: n <= 1 or 11 <= n <= 99},
}
_TOGETHER: dict[str, Rules] = {
    "bm bo dz hnj id ig ii ja jbo jv kde kea km ko lkt lo ms my nqo osa sah ses sg su th to tpi vi wo yo yue zh": {},
    "ak am as bho bn csw doi fa ff gu guw hi hy kab kn kok ln mg nso pa pcm si ti wa zu": _UP_TO_ONE,
    "is mk": _BY_TENS,
    "he iu naq sat se sma smi smj smn sms": _DUAL,
    "blo cv ksh lag": _ZERO,
    "ca es it lld scn vec": _ROMANCE,
    "fr pt": _FRENCH,
    "be ru uk": _EAST_SLAVIC,
    "bs hr sr": _SOUTH_SLAVIC,
    "cs sk": _CZECH,
    "dsb hsb sl": _SLOVENE,
    "ceb fil tl": _PHILIPPINE,
    "lv prg": _LATVIAN,
    "ar ars": _ARABIC,
}
_RULES = _ALONE | {language: rules for together, rules in _TOGETHER.items() for language in together.split()}
