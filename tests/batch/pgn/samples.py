"""PGN for tests: games, broken games, and random games written by python-chess."""

import functools
import random
import sys
from collections.abc import Iterable
from typing import Final

import chess
import chess.pgn
from hypothesis import strategies as st

from tests.positions import FENS, random_board

if sys.version_info >= (3, 14):
    from compression import zstd as zstd
else:
    from backports import zstd as zstd

GAMES = (
    b"""[Event "a"]
[Result "1-0"]

1. e4 e5 2. Nf3 {[%clk 0:01:02] [%eval 0.3]} Nc6 (2... d6 3. d4) 3. Bb5 a6 $5
4. O-O ; so
4... Nf6 1-0

""",
    b'[White "x"]\n\n1.e4 d5 2.exd5 c6 3.dxc6 Nf6 4.cxb7 Bd7 5.bxa8=Q {[%eval #3]} e6 6. -- Qb6 *\n\n',
    b'[White "y"]\n[Result "*"]\n\n1. d2-d4 g8f6 2. c4 Z0 0-1\n\n',
    b"""[Variant "Chess960"]
[FEN "1r1k1r2/pppppppp/8/8/8/8/PPPPPPPP/1R1K1R2 w FBfb - 2 9"]

9. O-O O-O-O 10. h4 Kb8 11. Kh2 *

""",
    b"1. e4 e5 2. Ke2 Ke7 3. Qe1 { twice\n\nover } d6 4. Nh3 1/2-1/2\n\n",
)

_MARKS = '{ } ( ) ; [ ] " * % 1-0 0-1 1/2-1/2 $1 !? 8 x = + # K k -- Z0 @@@@ 0000'
_MOVES = "e4 exd5 Nf3 N1f3 Ng1-f3 R1a3 O-O 0-0-0 N@e4 e8Q e8=Q e1g1"
_NOTES = ("[%clk 1:2:3]", "[%clk 0:00:09.5]", "[%eval #-2]", "[%eval 1.25,3]", "[%eval -.5]", "[%emt 0:00:2.25]")
_MATCHES = ("{+0.31/15 2.3s}", "{-M4/9 12s, so}", "{ 0.00/1 0.5s }", "{-1.25/7}", "{1.5/2}", "{+.5/3 1 s}")
BREAKERS = (
    *(word.encode() for word in (*_MARKS.split(), *_MOVES.split(), *_NOTES, *_MATCHES)),
    b" ", b"\n", b"\r\n", b"\r", b"\n\n", b"\xff", b"\xe9", b"\0", b"\x1a", b"\xef\xbb\xbf", b"\n%x\n",
    b'[A "b"]\n', b'\n[Event "c"]\n', b'\n\n[Event "d"]\n\n', b'[Variant "Atomic"]\n',
    b"Sf3 ", b" xx ", b"Nf9 ", b" foo 2. ",
    b'[FEN "8/8/8/8/8/8/8/8 w - - 0 1"]\n',
    b"\xe2\x99\x98f3 \xe2\x99\x9ef6\xef\xb8\x8e \xc3\x97e5 O\xe2\x80\x93O \xc2\xa0",
    # Odd layouts.
    b"\n\n\n", b"  ", b"{so}\n\n", b"\n\n{so}\n", b'1-0[Event "e"]', b'[A "b"] ', b'[ A\r\n"b"\n]',
    b'\n\n[Event "a"]\n', b"\n1. ", b"\n\n1. ", b"\n\n1... ", b"\\", b'\\"]', b'"]',
)  # fmt: skip


@st.composite
def broken_texts(draw: st.DrawFn) -> bytes:
    """Some games, with words inserted, bytes removed, and parts repeated."""
    text = bytearray(b"".join(draw(st.lists(st.sampled_from(GAMES), min_size=1, max_size=4))))
    for _ in range(draw(st.integers(0, 6))):
        place = draw(st.integers(0, len(text)))
        match draw(st.integers(0, 3)):
            case 0 | 1:
                text[place:place] = draw(st.sampled_from(BREAKERS))
            case 2:
                del text[place : place + draw(st.integers(1, 5))]
            case 3:
                other = draw(st.integers(0, len(text)))
                text[place:place] = text[other : other + draw(st.integers(1, 60))]
    return bytes(text)


@functools.cache
def random_game(seed: int) -> chess.pgn.Game:
    """A game from any position, sometimes Chess960, with clocks, evaluations, NAGs, comments and variations.

    Nobody may change it: it is made once.
    """
    choice = random.Random(seed)
    board = choice.choice(
        [chess.Board(), chess.Board(choice.choice(FENS)), random_board(seed, 30), random_board(seed, 9, seed % 960)]
    )
    game = chess.pgn.Game()
    game.setup(board)
    game.headers["White"] = choice.choice(["", "Ann \\", 'B"c"', "Šárka Ž", "x" * 90])
    game.headers["Result"] = choice.choice(["1-0", "0-1", "1/2-1/2", "*"])
    node: chess.pgn.GameNode = game
    for _ in range(choice.randrange(100)):
        moves = list(board.legal_moves)
        if not moves:
            break
        for move in choice.sample(moves, min(choice.choice([1, 1, 1, 2, 3]), len(moves))):
            _annotate(node.add_variation(move), choice)
        node = node.variations[0]
        board.push(node.move)
    return game


def _annotate(node: chess.pgn.ChildNode, choice: random.Random) -> None:
    if choice.random() < 0.5:
        node.comment = choice.choice(["", "good", "so (so) ; $1 1-0\n\n[no", "[%eval x]"])
    if choice.random() < 0.5:
        node.set_clock(choice.randrange(100_000_000) / 1000)
    if choice.random() < 0.5:
        score = choice.choice(
            [chess.engine.Cp(choice.randrange(-9999, 9999)), chess.engine.Mate(choice.randint(1, 40))]
        )
        node.set_eval(chess.engine.PovScore(score, choice.random() < 0.5), choice.choice([None, 20]))
    if choice.random() < 0.3:
        node.set_emt(choice.randrange(1_000_000) / 1000)
    if choice.random() < 0.2:
        node.nags.add(choice.randrange(140))


@functools.cache
def _random_text(seed: int) -> bytes:
    return f"{random_game(seed)}\n\n".encode()


SEEDS: Final = st.integers(0, 40)  # Few, since most of a test's time would go into making the games.


def random_games(seeds: Iterable[int]) -> bytes:
    return b"".join(map(_random_text, seeds))
