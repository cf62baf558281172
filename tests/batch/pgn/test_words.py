"""Words in movetext: foreign piece letters, chess symbols, and what is no move at all."""

import math

import pytest

import ox88
from ox88.batch.pgn.game_text import split_games
from ox88.batch.text.bytes import PIECE_LETTERS
from tests.batch.pgn import naive
from tests.conftest import DATA

# The same moves in each language, and in chess symbols; the last is a promotion.
PROMOTES = '[FEN "6nk/P7/8/8/8/8/8/K3R3 w - - 0 1"]\n\n'
GAMES = {
    "English": ("1. Nf3 Nf6 2. d4 d5 3. Bf4 Bf5 4. Qd3 Qd6 5. Rg1 Rg8 6. Kd1 Kd7", "1. Re7 Nf6 2. a8=Q+"),
    "German": ("1. Sf3 Sf6 2. d4 d5 3. Lf4 Lf5 4. Dd3 Dd6 5. Tg1 Tg8 6. Kd1 Kd7", "1. Te7 Sf6 2. a8=D+"),
    "French": ("1. Cf3 Cf6 2. d4 d5 3. Ff4 Ff5 4. Dd3 Dd6 5. Tg1 Tg8 6. Rd1 Rd7", "1. Te7 Cf6 2. a8D+"),
    "Spanish": ("1. Cf3 Cf6 2. d4 d5 3. Af4 Af5 4. Dd3 Dd6 5. Tg1 Tg8 6. Rd1 Rd7", "1. Te7 Cf6 2. a8=D+"),
    "Dutch": ("1. Pf3 Pf6 2. d4 d5 3. Lf4 Lf5 4. Dd3 Dd6 5. Tg1 Tg8 6. Kd1 Kd7", "1. Te7 Pf6 2. a8=D+"),
    "Italian": ("1. Cf3 Cf6 2. d4 d5 3. Af4 Af5 4. Dd3 Dd6 5. Tg1 Tg8 6. Rd1 Rd7", "1. Te7 Cf6 2. a8=D+"),
}
SYMBOLS = ("1. ♘f3 ♞f6 2. ♙d4 ♟d5 3. ♗f4 ♝f5 4. ♕d3 ♛d6 5. ♖g1 ♜g8 6. ♔\ufe0ed1 ♚\ufe0fd7", "1. ♖e7 ♘f6 2. a8=♕+")


def as_played(text: str) -> list[int]:
    """The moves of English text by python-chess."""
    return naive.read_pgn(text.encode())[0].moves


@pytest.mark.parametrize("language", GAMES)
def test_letters_of_a_language_and_chess_symbols(language: str) -> None:
    expected = [as_played(GAMES["English"][0]), as_played(PROMOTES + GAMES["English"][1])]
    for text, promotes in (GAMES[language], SYMBOLS):
        games = ox88.read_pgn_text(f"{text} *\n\n{PROMOTES}{promotes} *", letters=language)
        assert naive.moves_of(games) == expected
        assert games.errors == []
    assert list(GAMES) == list(PIECE_LETTERS)


def test_letters_that_are_not_known() -> None:
    for read in (ox88.read_pgn, ox88.iter_pgn):
        with pytest.raises(
            ox88.Ox88Error, match="letters is 'Latin': one of English, German, French, Spanish, Dutch, It"
        ):
            list(read(b"1. e4", letters="Latin"))


# A word in the place of Black's first move; True if it is a move that is played.
_PLAYED = "e5 Nf6 ♘f6 ♞f6 N-f6 Ng8-f6 Pe5 ♟e5 ♟\ufe0ee5 -- 1...e5 1…e5 e5?! e5!,so e5e.p. xe5 -e5"
_REFUSED = "Sf6 Cf6 S♘f6 \u041af6 N\u00d7f6 N:f6 Nx:f6 ♘♘f6 N\u2013f6 Se5 E5 E7-E5 Dame5 SO-O eO-O QeZ0 ÿe5"
WORDS = {
    **dict.fromkeys(_PLAYED.split(), True),
    **dict.fromkeys(_REFUSED.split(), False),
}


@pytest.mark.parametrize("word", WORDS)
def test_a_word_that_is_no_move_ends_the_game(word: str) -> None:
    """The rest of such a word was read as a move of a pawn."""
    games = ox88.read_pgn_text(f"1. e4 {word} 2. -- 1-0\n\n1. d4 *\n")
    if WORDS[word]:
        assert games.lengths.tolist() == [3, 1]
        assert games.errors == []
    else:
        assert games.lengths.tolist() == [1, 1]
        (error,) = games.errors
        assert (error.number, error.line) == (0, 1)
        assert error.reason.startswith(f"{word!r} is not a move in PGN, where the pieces are K, Q, R, B and N;")


@pytest.mark.parametrize(
    ("text", "moves", "word"),
    [
        ("1. d4 Nf9 2. d5", "d4", "Nf9"),
        ("1. d4 Nf9 d5", "d4", "Nf9"),
        ("1. d4 i4 d5", "d4", "i4"),
        ("1. d4 xx 2. d5", "d4", "xx"),
        ("1. d4 xx?! $2 { no. } 2 . d5", "d4", "xx"),
        ("1. d4 no word 2.d5", "d4", "word"),
        ("1. d4 N\n2.\nd5", "d4", "N"),
        ("1. d4 Nf 2. d5", "d4", "Nf"),
        ("1. d4 1... xx", "d4", "xx"),
        ("1. d4 1.. xx", "d4", "xx"),
        ("1. d4 d5 2. xx dxe4", "d4 d5", "xx"),
        ("1. d4 d5 xx 2... Nf6", "d4 d5", "xx"),
        ("12. xx e4", "e4", ""),  # Not the number of the first move, so it may be any text.
        ("1 d4 xx 2 d5", "d4 d5", ""),  # Without dots it may be any number.
        ("1. d4 D 1... d5 2. c4 N Nf6 3.", "d4 d5 c4 Nf6", ""),
        ("1. e4 a6 2. e5 d5 3. exd6 e.p. 3... a5 N 4. a3 +- D (=) 4. ... a4", "e4 a6 e5 d5 exd6 a5 a3 a4", ""),
        ("1. d4 (1. c4 N) 1... d5 (1... e5 D) 2. c4", "d4 d5 c4", ""),
    ],
)
def test_a_word_in_the_place_of_a_move_ends_the_game(text: str, moves: str, word: str) -> None:
    """The next move was played by the other side."""
    games = ox88.read_pgn_text(text)
    assert games.moves.tolist() == as_played(moves)
    assert [error.reason for error in games.errors] == ([f"{word!r} is not a move"] if word else [])


@pytest.mark.parametrize(
    "between",
    ["", "!?", " e.p.", " ep", " ch", " N", " D", " +-", " Novelty!", " (=)", "+", " 2. ... ", "\u00a02.\u00a0", " ½"],
)
def test_words_without_a_square_are_passed_over(between: str) -> None:
    games = ox88.read_pgn_text(f"1. e4{between} e5{between} *")
    assert games.moves.tolist() == as_played("1. e4 e5")
    assert games.errors == []


DASHES = "-\u2010\u2011\u2012\u2013\u2014\u2015\u2212"


@pytest.mark.parametrize("dash", DASHES)
def test_castling_with_any_dash(dash: str) -> None:
    for letter in "O0o":
        castlings = f"1. {letter}{dash}{letter} {letter}{dash}{letter}{dash}{letter} *"
        games = ox88.read_pgn_text(f'[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]\n\n{castlings}')
        assert games.positions().fens()[-1] == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
        assert games.errors == []


@pytest.mark.parametrize("dash", DASHES)
def test_a_result_with_any_dash(dash: str) -> None:
    """Movetext ends at it, too: another game may begin in the next line."""
    for written in ("1-0", "0-1", "1/2-1/2", "½-½", "½-1/2", "1/2-½", "0.5-0.5"):
        points, result = {"1-0": 1, "0-1": 0}.get(written, 0.5), written.replace("-", dash)
        text = f'1. e4 e5 {result}\n1. d4 {result}\n\n*\n\n[Result "{result}"]\n\n1. c4 (1. d4 {result}) 1... c5'
        games = ox88.read_pgn_text(text)
        assert naive.moves_of(games) == [*map(as_played, ("1. e4 e5", "1. d4")), [], as_played("1. c4 c5")]
        assert games.results.tolist() == pytest.approx([points, points, math.nan, points], nan_ok=True)
        assert games.errors == []
        usual = written.replace("½", "1/2").replace("0.5", "1/2")
        assert [one.text.split()[-1] for one in split_games(text)][:2] == [usual, usual]


@pytest.mark.parametrize(
    ("result", "points"), [("1\x960", 1), ("0\x971", 0), ("½\x96½", 0.5), ("½-½", 0.5), ("1/2\x961/2", 0.5)]
)
def test_a_result_in_windows_1252(result: str, points: float) -> None:
    games = ox88.read_pgn(f"1. e4 e5 {result}\n1. d4".encode("latin-1"))
    assert games.results.tolist() == pytest.approx([points, math.nan], nan_ok=True)


@pytest.mark.parametrize("word", ["1-1", "0-1/2", "½", "1/2", "½-", "1-", "-0", "1-½", "½ - ½", "0.5", "0.5-1"])
@pytest.mark.parametrize("dash", "-\u2013")
def test_what_is_no_result(word: str, dash: str) -> None:
    games = ox88.read_pgn_text(f"1. e4 {word.replace('-', dash)} e5 1-0")
    assert games.results.tolist() == [1]
    assert games.moves.tolist() == as_played("1. e4 e5")


def test_a_long_text_without_white_space_takes_no_long_time() -> None:
    assert ox88.read_pgn_text("1. e4 " + "q." * 500_000 + " e5").moves.tolist() == as_played("1. e4 e5")


def test_no_word_of_real_games_is_an_error() -> None:
    assert ox88.read_pgn(DATA / "games" / "famous.pgn").errors == []
