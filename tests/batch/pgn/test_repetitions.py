"""Repetitions within games, compared with python-chess."""

import random

import chess
import chess.pgn
import pytest

import ox88
from tests.batch.pgn import naive, samples

# Two rooks that go to and fro; a king that gives up castling; en passant that is possible, that nobody can take, and
# that a pinned pawn cannot take; and moves that pass.
GAMES = """
1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. Ng1 Ng8 7. e4 e5 8. Nf3 Nf6 9. Ng1 Ng8 *

[FEN "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"]

1. Ke2 Ke7 2. Ke1 Ke8 3. Ke2 Ke7 4. Ke1 Ke8 5. Rb1 Rb8 6. Ra1 Ra8 *

[FEN "4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1"]

1. c4 Kd8 2. Kd1 Ke8 3. Ke1 Kd8 4. Kd1 Ke8 5. Ke1 *

[FEN "4k3/3r4/8/8/3p4/8/2P5/3RK3 w - - 0 1"]

1. c4 Kd8 2. Kd2 Ke8 3. Ke1 Kd8 *

[FEN "8/8/8/8/k2p3R/8/2P5/4K3 w - - 0 1"]

1. c4 Ka5 2. Kd1 Ka4 3. Ke1 Ka5 4. Kd1 Ka4 5. Ke1 *

[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 97 80"]

1. Ra2 Ke7 2. Ra1 Ke8 3. -- -- 4. -- -- *
"""


def naive_counts(game: chess.pgn.Game) -> list[int]:
    """For each position of a game, the largest count for which python-chess says that it has repeated."""
    board, counts = game.board(), [1]
    for move in game.mainline_moves():
        board.push(move)
        count = 1
        while board.is_repetition(count + 1):
            count += 1
        counts.append(count)
    return counts


def shuffling_game(seed: int) -> chess.pgn.Game:
    """A random game in which kings move most of the time, so that positions repeat."""
    choice = random.Random(seed)
    fens = ("4k3/8/8/8/8/8/4P3/R3K3 w Q - 0 1", "r3k2r/7p/8/8/8/8/P7/R3K2R w KQkq - 0 1")
    board = chess.Board(choice.choice(fens))
    for _ in range(60):
        kings = [move for move in board.legal_moves if board.piece_type_at(move.from_square) == chess.KING]
        moves = kings if kings and choice.random() < 0.9 else list(board.legal_moves)
        if not moves:
            break
        board.push(choice.choice(moves))
    return chess.pgn.Game.from_board(board)


@pytest.mark.parametrize("threads", [1, 2])
def test_repetitions(threads: int) -> None:
    shuffling = "\n\n".join(str(shuffling_game(seed)) for seed in range(40))
    text = samples.random_games(range(6)).decode() + GAMES + "\n" + shuffling
    games = ox88.read_pgn_text(text)
    assert games.errors == []
    expected = [naive_counts(game) for game in naive.read_trees(text)]
    found = games.repetitions(threads=threads)
    assert found.tolist() == [count for counts in expected for count in counts]
    assert games.repetitions(final=False).tolist() == [count for counts in expected for count in counts[:-1]]
    assert len(found) == len(games.positions())
    assert found.max() > 3
    assert games[3:5].repetitions().tolist() == [count for counts in expected[3:5] for count in counts]
    assert games[:0].repetitions().tolist() == []
