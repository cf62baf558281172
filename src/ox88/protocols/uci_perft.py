"""UCI's `go perft`: counting in a thread of its own, which a stop ends."""

from collections.abc import Callable

from ox88.protocols.player import compiler_heard
from ox88.threads import Background
from ox88.types import Ox88Error, Setup, to_uci

Say = Callable[[str], None]


class PerftRun:
    """Counts, and writes the count of each move and of all; or says why it cannot. Loads the bitboards."""

    def __init__(self, setup: Setup, depth: int, chess960: bool, write: Say, say: Say) -> None:
        from ox88.perft import Perft

        with compiler_heard(say):
            self._perft = Perft(setup)
            self._perft.count(2)  # Compiled, or loaded.
        self._depth = depth
        self._chess960 = chess960
        self._write = write
        self._say = say
        self._background = Background(self._run, self._perft.stop)

    def end(self) -> None:
        """Stop it, if it still counts, and wait."""
        self._background.cancel()

    def _run(self) -> None:
        try:
            counts = self._perft.divide(self._depth)
        except Ox88Error as error:
            self._say(str(error))
            return
        for text, count in sorted((to_uci(move, self._chess960), count) for move, count in counts.items()):
            self._write(f"{text}: {count}")
        self._write(f"Nodes searched: {sum(counts.values())}")
