"""Which words name a person, of whom some are called as everybody's words are."""

import pytest

from api.site.naming import Naming


@pytest.mark.parametrize(
    ("called", "text", "without"),
    [
        ("Petra Quux", "PETRA QUUX told me", "(removed) told me"),
        ("Petra", "Petra's and Petras phone", "(removed) and (removed) phone"),
        # Hosts are many people's: without theirs a link leads nowhere.
        ("Petra", "https://petra.example/_petra_", "https://petra.example/_(removed)_"),
        ("Petra", "see HTTPS://clips.Petra.example:8000/v/1.", None),
        ("Petra", "see petra.example/v/1, petra", "see petra.example/v/1, (removed)"),
        ("Petra", "petra.example is petra's", "(removed).example is (removed)"),
        ("Petra", "https://a.example/r?q=https://petra.example/x", None),
        ("Petra", "https://a.example/r?q=https%3A%2F%2Fpetra.example%2Fx", None),
        ("Petra", "https://a.example?u=petra", "https://a.example?u=(removed)"),
        ("Petra", "https://a.example#petra", "https://a.example#(removed)"),
        ("Petra", "https://petra@a.example/x", "https://(removed)@a.example/x"),
        ("Müller", "https://müller.example/x", None),
        ("Müller", "(https://a.example/u/M%C3%BCller/7)", "(https://a.example/(removed)"),
        ("Müller", "https://a.example/u/M%C3%BCllers%20/7", "https://a.example/(removed)"),
        ("Müller", "https://a.example/u/M%C3%BCnch", None),
        ("Petra", "Petrarch and xpetra", None),
        ("[x] Petra", "it was [X] Petra, again", "it was (removed), again"),
        ("Bo", "Bo left, Bob did not", "(removed) left, Bob did not"),
        ("A", "a word that nobody is called by", None),
        ("A", "“a” left", "“(removed)” left"),
        # Written with other blanks, accents or capitals, by a keyboard or a copy.
        ("Petra Quux", "so Petra\n \u00a0QUUX left", "so (removed) left"),
        ("Ren\u00e9", "Rene\u0301 left, Ren\u00e9e did not", "(removed) left, Ren\u00e9e did not"),
        ("Rene\u0301e", "as REN\u00c9E's", "as (removed)"),
        ("Wei\u00df", "WEISS, wei\u00df and Weiss", "(removed), (removed) and (removed)"),
        ("Anna Weiss", "\u00c4h, Anna Wei\u00df!", "\u00c4h, (removed)!"),
        # Where no space tells of the end of a word.
        ("张伟", "是张伟作弊", "是(removed)作弊"),
        ("Zebulon", "Zebulon作弊了, 和Zebulonさん", "(removed)作弊了, 和(removed)さん"),
        # As scores, dates and times are written.
        ("3-1", "I won 3-1, not “3-1”", "I won 3-1, not “(removed)”"),
        ("2026-11-27", "on 2026-11-27 at 13:05", None),
        ("13", "after 13 minutes", None),
        ("76561198012345678", "id 76561198012345678", "id (removed)"),
    ],
)
def test_names(called: str, text: str, without: str | None) -> None:
    naming = Naming([called], [])
    assert naming.are_in(text) == (without is not None)
    assert naming.cut_from(text) == (without or text)


@pytest.mark.parametrize(
    ("called", "text", "is_named"),
    [
        ("steam-petra-99", "steam-petra-99 is a bot", True),
        ("steam-petra-9", "steam-petra-99 is a bot", False),
        ("777", "id 777, 7770 points", True),
        ("777", "7770 points", False),
        ("7", "7 goals", False),
        ("7", 'the player "7" left', True),
        ("7", " 7 ", True),
        ("ab", "ab and zu", False),
    ],
)
def test_ids(called: str, text: str, is_named: bool) -> None:
    assert Naming([], [called]).are_in(text) == is_named


def test_the_longest_goes_first() -> None:
    naming = Naming(["Petra", "Petra Quux", ""], ["petra@quux.example", ""])
    text = "Petra Quux <petra@quux.example>"
    assert naming.cut_from(text) == "(removed) <(removed)>"


@pytest.mark.parametrize(
    ("called", "is_usual"),
    [
        ("wall", True),
        ("[WALL]", True),
        ("wall: of, stone", True),
        ("wall of Petra", False),
        ("wall 77", False),
        ("wal", False),
        ("thi", True),
        ("[wall] thi", True),
        ("wall@stone.of", False),
    ],
)
def test_whoever_is_called_by_usual_words_alone(called: str, is_usual: bool) -> None:
    usual = {"wall", "of", "stone", "77", "this"}
    for naming in (Naming([called], [], usual), Naming([], [called]).but_for(usual)):
        assert naming.are_in(f"{called} left") is not is_usual


def test_a_long_id_is_never_usual() -> None:
    """Whoever is told of with it on this site is the same person; a name may be another's, too."""
    naming = Naming(["Zebulon"], ["76561198012345678", "xx77"])
    fewer = naming.but_for({"zebulon", "76561198012345678", "xx77"})
    assert fewer.found_in("Zebulon 76561198012345678 xx77") == ["76561198012345678"]
    assert fewer.passed_over == {"zebulon", "xx77"}
