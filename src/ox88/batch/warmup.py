"""Calls every kernel of this package once, on little data, so that all of them are compiled and in the cache."""

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.env.env import Env
from ox88.batch.env.tree_search import TreeSearch
from ox88.batch.learning.engine import blank_network
from ox88.batch.pgn.checking import check_game
from ox88.batch.pgn.games import Games
from ox88.batch.pgn.reading import read_pgn
from ox88.batch.positions.positions import Positions
from ox88.batch.training.binpack import read_chunk, write_binpack
from ox88.batch.training.entries import TrainingData
from ox88.batch.training.plain import read_block, write_plain
from ox88.fen import STARTPOS

_PGN: Final = rb"""[White "x \"y\""]
[Result "1-0"]

1. e4 {[%clk 0:01:02] [%eval 0.3]} e5 $1 2. Nf3 (2. d4 {no}) Nc6 3. Bb5 a6 4. O-O ; castles
4... Nf6 1-0

[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"]

1. a8=Q+ {[%eval #3]} Kd7 2. Qd5+ -- *

[White "y"]

1. e2-e4 e7e5 2. N@e4 *
"""


def _know_nothing(planes: NDArray[np.uint8]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.zeros((len(planes), 4672)), np.zeros(len(planes))


def warm_up() -> None:
    positions = Positions.from_fens([STARTPOS])
    positions = Positions.from_boards(positions.boards())
    positions = Positions.from_packed(positions.pack())
    positions.fens()
    positions.fen_texts()
    moves = positions.legal_moves()[0][:1]
    positions.legal_moves(captures=True)
    positions.push(positions.parse_san(positions.format_san(moves)))
    positions.parse_uci(positions.format_uci(moves))
    positions.see(moves)
    positions.perft(1)
    positions.attacks()
    positions.pinned()
    positions.checkers()
    positions.outcome()
    positions.planes()
    positions.features()
    positions.policy_move(positions.policy_index(moves))
    positions.policy_mask()
    positions.polyglot_key()
    positions.evaluate(by="handcrafted")
    positions.evaluate(by=blank_network())
    positions.accumulators(network=blank_network())
    positions.search(nodes=1)
    positions.human_policy()
    data = TrainingData(positions, moves, *[np.zeros(1, int)] * 3)
    list(read_chunk(Path(), 0, write_binpack(data)[8:]))
    read_block(Path(), 1, write_plain(data))
    env = Env(1)
    env.step(env.sample())
    for considered in 0, 2:
        tree = TreeSearch(_know_nothing, games=1, simulations=2, considered=considered)
        tree.search()
        tree.policy()
        tree.step(tree.choose())


def warm_up_pgn() -> None:
    games = read_pgn(_PGN)
    check_game(_PGN.decode())
    games.positions()
    games.repetitions()
    games.openings()
    games.positions(ply=-1)
    games.headers.numbers("White")
    games[1:].to_pgn()
    games.to_pgn()
    Games.from_moves(["e4 e5"])
    games.reaches("KK")
    games.variations()
