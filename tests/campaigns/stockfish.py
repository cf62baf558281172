"""Stockfish as the judge of legal moves, checks and mates."""

import chess

from ox88.apps.bench.perft import StockfishPerft
from ox88.errors import Ox88Error


class Stockfish(StockfishPerft):
    """Stockfish, asked for legal moves, checks and mates."""

    def checkers(self, board: chess.Board) -> list[str]:
        """The squares of the pieces that give check. Raises Ox88Error."""
        self._commands.write(f"position fen {board.shredder_fen()}\nd\n")
        for line in self._answers:
            title, _, squares = line.partition(":")
            if title == "Checkers":
                return squares.split()
        raise Ox88Error(f"Stockfish has ended while it showed {board.shredder_fen()}")

    def mate(self, board: chess.Board, moves: int, nodes: int) -> int | None:
        """Moves to a mate that is found, negative if the side to move suffers it; None for no mate. Raises Ox88Error.

        moves: a mate in so many or less ends the search.
        """
        self._commands.write(f"ucinewgame\nposition fen {board.shredder_fen()}\ngo mate {moves} nodes {nodes}\n")
        found = None
        for line in self._answers:
            words = line.split()
            if words[:1] == ["bestmove"]:
                return found
            if "score" in words and not {"upperbound", "lowerbound"} & {*words}:
                kind, number = words[words.index("score") + 1 :][:2]
                found = int(number) if kind == "mate" else None
        raise Ox88Error(f"Stockfish has ended while it searched {board.shredder_fen()}")
