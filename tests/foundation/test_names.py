"""Names: what looks alike meets, what nobody can see goes, words of mixed writing are told, words are found."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foundation.names import clean_name, mixed_word, search_keys, search_words, skeleton_of
from foundation.names.skeletons import likeness

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Curaçao", "curacao"),
        ("Bill", "B1ll"),
        ("BILL", "BlLL"),
        ("paypal", "раураl"),
        ("Ann a", "anna"),
        ("ＷＩＤＥ", "wide"),
        ("tom", "тom"),
        ("sam", "ѕam"),
        ("Boris", "Вoris"),
        ("ohm", "οhm"),
        ("Tom", "ТОМ"),
        ("Ben", "ΒΕΝ"),
        ("νικη", "ΝΙΚΗ"),
        ("Tom", "Torn"),
        ("Tom", "To\u200bm"),
        ("Tom", "\u202eTom"),
        ("Вася", "Bacя"),
        ("Łukasz", "Lukasz"),
        ("𝕿𝖔𝖒", "Tom"),
    ],
)
def test_look_alikes_meet(one: str, other: str) -> None:
    assert skeleton_of(one) == skeleton_of(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("Niger", "Nigeria"), ("Yann", "Yavv"), ("かき", "がき"), ("किम", "कम"), ("Tom", "Tim")],
)
def test_different_names_stay_apart(one: str, other: str) -> None:
    assert skeleton_of(one) != skeleton_of(other)


def test_latin_letters_and_digits_stay_apart_but_for_those_that_are_drawn_alike() -> None:
    together = {"1", "i", "0"}
    assert {likeness(sign) for sign in LETTERS} == set(LETTERS) - together


@given(st.text(min_size=1, max_size=100))
def test_a_skeleton_is_never_empty_and_is_blind_to_case(name: str) -> None:
    skeleton = skeleton_of(name)
    assert 1 <= len(skeleton) <= 200
    assert skeleton_of(clean_name(name)) == skeleton or clean_name(name) == "?"


@given(st.text(alphabet=st.characters(max_codepoint=0x5FF), min_size=1, max_size=40))
def test_case_makes_no_other_name(name: str) -> None:
    assert skeleton_of(name.upper()) == skeleton_of(name.upper().lower().upper())
    assert skeleton_of(name.casefold()) == skeleton_of(name)


@pytest.mark.parametrize(
    ("given_name", "clean"),
    [
        ("Tom", "Tom"),
        ("  Tom \n Farthing\t", "Tom Farthing"),
        ("\u202emoT", "moT"),
        ("\u2066Tom\u2069", "Tom"),
        ("T\u200bo\u200dm\ufeff", "Tom"),
        ("To\x07m", "Tom"),
        ("Tom\u3164\u2800", "Tom"),
        ("\u200b", "?"),
        ("", "?"),
        ("Z" + "\u0353" * 30 + "a", "Z" + "\u0353" * 3 + "a"),
        ("Anne\u0301", "Anné"),
        ("[RU] Вася", "[RU] Вася"),
        ("דוד", "דוד"),
    ],
)
def test_names_are_cleaned(given_name: str, clean: str) -> None:
    assert clean_name(given_name) == clean


@given(st.text(max_size=100))
def test_a_clean_name_stays_and_shows(name: str) -> None:
    clean = clean_name(name)
    assert clean_name(clean) == clean
    assert not any(unicodedata.category(sign) in ("Cc", "Cf", "Zl", "Zp") for sign in clean)


@pytest.mark.parametrize("name", ["тom", "ѕam", "Вoris", "οhm", "[RU] Вacя", "Tom тom"])
def test_words_of_mixed_writing_are_told(name: str) -> None:
    assert mixed_word(name) == name.rsplit(maxsplit=1)[-1]


@pytest.mark.parametrize(
    "name",
    [
        "Tom",
        "[RU] Вася",
        "Вася_boss",
        "田中たろうXx",
        "Hello世界",
        "김철수kim",
        "José",
        "नमस्ते",
        "Ω 3",
    ],
)
def test_words_of_one_writing_are_fine(name: str) -> None:
    assert mixed_word(name) == ""


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("Tom Farthing", ["tomfarthlng", "farthlng"]),
        ("TomFarthing", ["tomfarthlng", "farthlng"]),
        ("dark_lord99", ["darklord99", "lord99", "99"]),
        (
            "田中太郎",
            ["".join(search_words(text)) for text in ("田中太郎", "中太郎", "太郎", "郎")],
        ),
        ("...", []),
    ],
)
def test_names_are_found_by_their_words(name: str, keys: list[str]) -> None:
    assert search_keys(name) == keys


@given(st.text(max_size=60))
def test_a_whole_name_finds_itself(name: str) -> None:
    keys = search_keys(name)
    assert keys[:1] == (["".join(search_words(name))] if keys else [])
