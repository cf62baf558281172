"""Names of openings, compared with python-chess's reading of the lines and of games."""

import functools
import gzip
import io
import random
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import numpy as np
import pytest

import ox88
from ox88.apps.analyse.opening_names import Opening, OpeningNames
from ox88.batch.pgn.openings import FILE, named_positions
from tests.batch.pgn import naive, samples
from tools.opening_names import packed

LINES = [line.split("\t") for line in gzip.decompress(FILE.read_bytes()).decode().splitlines()]


@functools.cache
def names() -> OpeningNames:
    return OpeningNames.load()


def board_after(movetext: str) -> chess.Board:
    game = chess.pgn.read_game(io.StringIO(movetext))
    assert game is not None
    assert not game.errors
    return game.end().board()


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(1, 12))])
def test_each_line_names_the_position_that_python_chess_finds(first: int) -> None:
    for eco, name, movetext in LINES[first::12]:
        assert names().of_position(board_after(movetext).fen()) == Opening(eco, name), movetext


def test_every_line_has_a_position_of_its_own() -> None:
    keys = named_positions().keys
    assert len(keys) == len(LINES) == 3807
    assert (np.diff(keys) > 0).all()


# Two orders of one line; moves after the last position with a name, also en passant that is possible; no move.
@pytest.mark.parametrize(
    ("movetext", "eco", "name", "ply"),
    [
        ("1. e4 e5 2. Nf3 d6", "C41", "Philidor Defense", 4),
        ("1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation", 10),
        ("1. Nf3 d6 2. e4 c5 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6", "B90", "Sicilian Defense: Najdorf Variation", 10),
        ("1. e4", "B00", "King's Pawn Game", 1),
        ("1. a4 a6 2. a5 b5", "A00", "Ware Opening", 1),
        ("1. Nc3 c5 2. b4", "A00", "Van Geet Opening: Düsseldorf Gambit", 3),
        ("", "", "", -1),
    ],
)
def test_the_openings_of_games(movetext: str, eco: str, name: str, ply: int) -> None:
    found = ox88.read_pgn_text(f'[Event "x"]\n\n{movetext} *').openings()
    assert (found.eco.tolist(), found.name.tolist(), found.ply.tolist()) == ([eco], [name], [ply])


# It starts as the Philidor does; from a position with no name; and after a move that passes.
SETUPS = """
[FEN "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"]

1... d6 *

[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]

1. O-O *

[FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"]

1... -- 2. e4 e5 3. Ke2 Ke7 4. Ke1 Ke8 *
"""


def wandering_games() -> Iterator[chess.pgn.Game]:
    """Lines that are cut off or go on at random, some of them with the moves of a side in another order."""
    choice = random.Random(88)
    for _, _, movetext in choice.sample(LINES, 60):
        board, moves = chess.Board(), board_after(movetext).move_stack
        for move in choice.sample(moves, len(moves)) if choice.random() < 0.3 else moves:
            if board.is_legal(move):
                board.push(move)
        for _ in range(choice.randrange(6)):
            board.push(choice.choice(list(board.legal_moves)))
        yield chess.pgn.Game.from_board(board)


def naive_opening(game: chess.pgn.Game) -> tuple[str, str, int]:
    """The last position that has a name, by python-chess's FENs."""
    boards = [node.board() for node in (game, *game.mainline())]
    for ply, board in reversed(list(enumerate(boards))):
        found = names().of_position(board.fen())
        if found is not None:
            return found.eco, found.name, ply
    return "", "", -1


@pytest.mark.parametrize("threads", [1, 2])
def test_games_as_python_chess_plays_them(threads: int) -> None:
    text = "\n\n".join(map(str, wandering_games())) + "\n" + SETUPS + samples.random_games(range(2)).decode()
    games = ox88.read_pgn_text(text)
    assert games.errors == []
    expected = list(map(naive_opening, naive.read_trees(text)))
    found = games.openings(threads=threads)
    assert list(zip(*(column.tolist() for column in found), strict=True)) == expected
    assert len({ply for *_, ply in expected}) > 10
    some = games[5:9].openings()
    assert list(zip(*(column.tolist() for column in some), strict=True)) == expected[5:9]
    assert [len(column) for column in games[:0].openings()] == [0, 0, 0]


def test_the_file_is_made_from_the_five_of_lichess(tmp_path: Path) -> None:
    for name in "abcde":
        lines = ("\t".join(line) for line in LINES if line[0][0] == name.upper())
        (tmp_path / f"{name}.tsv").write_text("\n".join(["eco\tname\tpgn", *lines, ""]), encoding="utf-8")
    assert gzip.decompress(packed(tmp_path)) == gzip.decompress(FILE.read_bytes())
    assert packed(tmp_path) == packed(tmp_path)


def test_names_of_positions_are_those_of_games() -> None:
    games = ox88.read_pgn("examples/games.pgn.gz")
    names, openings = ox88.opening_names(games.positions(ply=games.openings().ply)), games.openings()
    assert names.eco.tolist() == openings.eco.tolist()
    assert names.name.tolist() == openings.name.tolist()
    every = ox88.opening_names(games.positions())
    assert set(every.name[games.positions().ply > 40]) == {""}
    assert ox88.opening_names(ox88.Positions()).eco.tolist() == []
    with pytest.raises(TypeError, match=r"opening names of Games: ox88.Positions are expected"):
        ox88.opening_names(games)  # type: ignore[arg-type]
