"""UCI, the Universal Chess Interface: a session of commands read and lines written.

Source: the protocol's description by Stefan Meyer-Kahlen and Rudolf Huber, 2006; Chess960, WDL and the commands for
people as Stockfish has them.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Unpack

from ox88.engines.base import EngineEntry, EngineError, Info
from ox88.engines.host import CHESS960, PONDER, SHOW_WDL, BackgroundSearch, any_legal_move, compiler_progress
from ox88.engines.placed import common_length
from ox88.errors import Ox88Error
from ox88.protocols.session import BaseSession, SessionOptions, Write
from ox88.protocols.uci_text import (
    Go,
    format_best_move,
    format_diagram,
    format_info,
    format_option,
    parse_go,
    parse_position,
    parse_setoption,
)
from ox88.setup import Setup
from ox88.threads import Background
from ox88.types import NO_MOVE, format_uci

if TYPE_CHECKING:  # Imported with the first position: `uci` is answered without python-chess.
    import chess

Bench = Callable[[Write], None]


class Session(BaseSession):
    """A conversation in UCI. Engines are made when they are needed, and never to answer `uci`.

    A command that needs the engine, such as `position` or a second `go`, ends the search that runs: its bestmove is
    written first. `isready`, `debug`, `d` and unknown commands do not disturb it.
    """

    remark = "info string"

    def __init__(
        self,
        engines: Sequence[EngineEntry],
        write: Write,
        bench: Bench | None = None,
        **options: Unpack[SessionOptions],
    ) -> None:
        """Start a conversation. bench: runs the benchmark and writes its lines. Other arguments as in `BaseSession`."""
        super().__init__(engines, write, (PONDER, CHESS960, SHOW_WDL), **options)
        self._bench_hook = bench
        self._start: Setup | None = None  # Of the last `position`, ...
        self._moves: list[str] = []  # ... and its moves, most of which the next `position` repeats.
        self._search: BackgroundSearch | None = None
        self._perft: Background[None] | None = None
        self._debug = False
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._isready,
            "setoption": lambda text: self._host.set_option(*parse_setoption(text)),
            "register": lambda _: None,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._end_search(),
            "ponderhit": self._ponderhit,
        }
        self._commands_for_people = {"d": self._show, "eval": self._evaluate, "bench": self._bench, "flip": self._flip}

    def run(self, lines: Iterable[str]) -> None:
        """Read and obey until `quit` or the end of the lines. A search that runs then ends, and tells its move."""
        try:
            for line in lines:
                if not self.obey(line):
                    break
        finally:
            self._end_search()

    def obey(self, line: str) -> bool:
        """Obey one line; False for `quit`. Unknown words before a command are skipped, as the protocol has it."""
        words = line.split()
        for number, word in enumerate(words):
            if word == "quit":
                return False
            command = self._commands.get(word) or (self._commands_for_people.get(word) if number == 0 else None)
            if command is not None:
                rest = line.split(maxsplit=number + 1)[number + 1 :]
                try:
                    command(rest[0] if rest else "")
                except Ox88Error as error:
                    self._say(str(error))
                return True
        if words:
            self._say(f"unknown command: {line}")
        return True

    def _writes_chess960(self) -> bool:
        return self._host.is_on(CHESS960) or (not self._host.obstacle and self._host.board.chess960)

    # --- Greeting --------------------------------------------------------------------------------------------------

    def _uci(self, _: str) -> None:
        self._write(f"id name {self._name}")
        self._write("id author the authors of Ox88")
        for option in self._listed_options():
            self._write(format_option(option))
        self._write("uciok")

    def _set_debug(self, text: str) -> None:
        if text.strip() not in ("on", "off"):
            raise Ox88Error(f"debug is on or off, not {text[:40]!r}")
        self._debug = text.strip() == "on"

    def _isready(self, _: str) -> None:
        self._get_ready()
        self._write("readyok")

    # --- The position -------------------------------------------------------------------------------------------------

    def _ucinewgame(self, _: str) -> None:
        self._end_search()
        self._host.new_game()

    def _position(self, text: str) -> None:
        """Set the position. If it is refused there is none: `go` would search a position that nobody asked about."""
        self._end_search()
        try:
            start, moves = parse_position(text)
            self._host.place(self._board_after(start, moves))
        except Ox88Error as error:
            self._start = None
            self._host.refuse(error)
            raise
        self._start, self._moves = start, moves

    def _board_after(self, start: Setup, moves: list[str]) -> "chess.Board":
        """The board after some moves. If they continue the last game, only the new moves are read. Raises Ox88Error."""
        from ox88.convert import to_chess_board
        from ox88.rules import parse_move

        common = 0
        if start == self._start:
            board = self._host.board.copy()
            common = common_length(self._moves, moves)
            while len(board.move_stack) > common:
                board.pop()
        else:
            board = to_chess_board(start.check())
        for text in moves[common:]:
            board.push(parse_move(text, board))
        return board

    # --- Searching ----------------------------------------------------------------------------------------------------

    def _go(self, text: str) -> None:
        self._end_search()
        go = parse_go(text)
        for remark in go.remarks:
            self._say(remark)
        if "perft" in go.numbers:
            self._count(go.numbers["perft"])
        elif not self._play_book(go):
            self._start_search(go)

    def _start_search(self, go: Go) -> None:
        """Begin a search, which is empty where there is nothing to search."""
        chess960, shows_wdl = self._writes_chess960(), self._host.is_on(SHOW_WDL)
        infos: Iterator[Info] = iter(())

        def ended(line: tuple[int, ...]) -> None:
            line = line or (() if self._host.obstacle else any_legal_move(self._host.board))
            self._write(format_best_move(line, chess960))

        try:
            engine = self._ready_engine()
            if self._host.obstacle:
                self._say(self._host.obstacle)
            else:
                limit = go.limit(int(not self._host.board.turn), self._legal_moves(go.moves))
                if self._debug:
                    self._say(str(limit))
                infos = engine.search(limit)
            self._search = BackgroundSearch(
                engine,
                infos,
                listener=lambda info: self._write(format_info(info, chess960, shows_wdl)),
                failed=self._failed,
                ended=ended,
                held=go.ponders or go.is_endless,
                endless=go.is_endless,
            )
        except Exception as error:  # Whatever it is: a GUI waits for a move, and a game goes on.
            self._failed(error)
            ended(())

    def _legal_moves(self, texts: Sequence[str]) -> tuple[int, ...]:
        """The legal moves of `searchmoves`. For each other word a message says why it is illegal."""
        from ox88.convert import from_chess_move
        from ox88.rules import parse_move

        moves = []
        for text in texts:
            try:
                moves.append(from_chess_move(parse_move(text, self._host.board), self._host.board))
            except Ox88Error as error:
                self._say(str(error))
        return tuple(moves)

    def _end_search(self) -> None:
        """Stop the search or the count that runs, if any. When this returns, the search's bestmove is written."""
        if self._search is not None:
            self._search.end()
            self._search = None
        if self._perft is not None:
            self._perft.cancel()
            self._perft = None

    def _ponderhit(self, _: str) -> None:
        if self._search is not None:
            self._search.ponder_hit()

    def _play_book(self, go: Go) -> bool:
        """Answer from the book, if it is on and knows the position. An analysis is never answered so."""
        if go.ponders or go.is_endless or go.moves or self._host.obstacle:
            return False
        move = self._book_move(self._host.board)
        if move == NO_MOVE:
            return False
        self._write(format_best_move((move,), self._writes_chess960()))
        return True

    # --- Perft --------------------------------------------------------------------------------------------------------

    def _count(self, depth: int) -> None:
        """Write the count of each move, and of all moves together, from a thread, which `stop` ends."""
        from ox88.convert import from_chess_board
        from ox88.perft import Perft

        chess960 = self._writes_chess960()
        with compiler_progress(self._say):
            perft = Perft(from_chess_board(self._host.board))
            perft.count(2)  # Compiles what is not compiled yet.

        def divide() -> None:
            try:
                counts = perft.divide(depth)
            except Ox88Error as error:
                self._say(str(error))
                return
            for text, count in sorted((format_uci(move, chess960), count) for move, count in counts.items()):
                self._write(f"{text}: {count}")
            self._write(f"Nodes searched: {sum(counts.values())}")

        self._perft = Background(divide, perft.stop)

    # --- For people ---------------------------------------------------------------------------------------------------

    def _show(self, _: str) -> None:
        from ox88.convert import from_chess_board

        for line in format_diagram(from_chess_board(self._host.board)):
            self._write(line)

    def _evaluate(self, _: str) -> None:
        self._end_search()
        engine = self._ready_engine()
        if self._host.obstacle:
            raise EngineError(self._host.obstacle)
        for line in engine.evaluation_text().splitlines():
            self._write(line)

    def _flip(self, _: str) -> None:
        """Exchange the colours. An engine must evaluate the position alike."""
        self._end_search()
        self._host.place(self._host.board.mirror())
        self._start = None

    def _bench(self, _: str) -> None:
        self._end_search()
        if self._bench_hook is None:
            raise EngineError("bench: there is none here")
        self._bench_hook(self._write)
