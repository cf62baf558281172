"""Calls every kernel of batches once, on small work, so that all of them are compiled and in the cache."""

from ox88.batch.positions import Positions
from ox88.fen import STARTPOS


def warm_up() -> None:
    positions = Positions.from_fens([STARTPOS])
    positions = Positions.from_boards(positions.boards())
    positions = Positions.from_packed(positions.pack())
    positions.fens()
    positions.fen_texts()
    moves = positions.legal_moves().moves[:1]
    positions.push(moves)
    positions.san(moves)
    positions.see(moves)
    positions.perft(1)
    positions.attacks()
    positions.checkers()
    positions.outcome()
    positions.planes()
    positions.features()
    positions.policy_move(positions.policy_index(moves))
    positions.policy_mask()
    positions.polyglot_key()
    positions.evaluate()
    positions.search(nodes=1)
