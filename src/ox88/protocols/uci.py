"""UCI, the Universal Chess Interface: a session of commands read and lines written.

Source: the protocol's description by Stefan Meyer-Kahlen and Rudolf Huber, 2006; Chess960, WDL and the commands for
people as Stockfish has them.
"""

import functools
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from ox88.engines.base import EngineEntry, EngineError, Info
from ox88.engines.settings import find_option
from ox88.protocols import uci_options as options
from ox88.protocols.diagram import diagram, flipped
from ox88.protocols.game import Game
from ox88.protocols.player import Player
from ox88.protocols.search_thread import Search, any_legal_move
from ox88.protocols.session_options import SessionOptions
from ox88.protocols.uci_go import Go, parse_go
from ox88.protocols.uci_info import format_best_move, format_info
from ox88.protocols.uci_perft import PerftRun
from ox88.protocols.uci_position import parse_position
from ox88.types import NO_MOVE, Ox88Error, Setup

Write = Callable[[str], None]
Bench = Callable[[Write], None]

_LONGEST_REMARK: Final = 600  # Characters.


class Session:
    """A conversation with a GUI. Engines are made when they are needed, and never to answer `uci`.

    A command that needs the engine, such as `position` or a second `go`, ends the search that runs: its bestmove is
    written first. `isready`, `debug`, `d` and what is unknown do not disturb it.
    """

    def __init__(
        self,
        engines: Sequence[EngineEntry],
        write: Write,
        *,
        name: str = "Ox88",
        engine: str | None = None,
        expert: bool = False,
        bench: Bench | None = None,
        failed: Callable[[Exception], None] | None = None,
    ) -> None:
        """Engines: the first is the default; engine: the name of another. write: takes a line, from any thread.

        expert: whether options for developers are listed. bench: does the bench's work and writes its lines.
        failed: told when the engine fails, from any thread; a line says so as well.
        """
        chosen = engine or engines[0].name
        self._output = write
        self._output_lock = threading.Lock()
        self._name = name
        self._is_expert = expert
        self._bench_hook = bench
        self._failed_hook = failed
        self._player = Player(engines, chosen, self._say)
        self._options = SessionOptions(engines, chosen, self._player, self._end_search, options.OWN)
        self._search: Search | PerftRun | None = None
        self._debug = False
        self._commands = self._command_table()
        self._commands_for_people = {"d": self._show, "eval": self._evaluate, "bench": self._bench, "flip": self._flip}

    def _command_table(self) -> dict[str, Callable[[str], None]]:
        return {
            "uci": self._uci,
            "debug": self._set_debug,
            "isready": self._isready,
            "setoption": self._setoption,
            "register": lambda _: None,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": lambda _: self._end_search(),
            "ponderhit": self._ponderhit,
        }

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
                self._attempt(command, rest[0] if rest else "")
                return True
        if words:
            self._say(f"unknown command: {line}")
        return True

    def _attempt(self, command: Callable[[str], None], text: str) -> None:
        try:
            command(text)
        except Ox88Error as error:
            self._say(str(error))

    # --- Writing ------------------------------------------------------------------------------------------------------

    def _write(self, line: str) -> None:
        with self._output_lock:
            self._output(line)

    def _say(self, text: str) -> None:
        """Say something in words, on one line."""
        line = " ".join(text.split())
        shown = line if len(line) <= _LONGEST_REMARK else line[: _LONGEST_REMARK - 3] + "..."
        self._write(f"info string {shown}")

    def _writes_chess960(self) -> bool:
        return self._options.is_on(options.CHESS960) or self._player.setup.is_chess960()

    # --- Who are you --------------------------------------------------------------------------------------------------

    def _uci(self, _: str) -> None:
        self._write(f"id name {self._name}")
        self._write("id author the authors of Ox88")
        for option in self._options:
            if self._is_expert or not option.expert:
                self._write(options.format_option(option))
        self._write("uciok")

    def _set_debug(self, text: str) -> None:
        if text.strip() not in ("on", "off"):
            raise Ox88Error(f"debug is on or off, not {text[:40]!r}")
        self._debug = text.strip() == "on"

    def _isready(self, _: str) -> None:
        """A GUI waits here: what must be compiled is compiled now, and spoken of."""
        try:
            self._player.ready()
        except Exception as error:  # Whatever it is: a GUI waits for the word, and `go` tells again.
            self._failed(error)
        self._write("readyok")

    # --- Options ------------------------------------------------------------------------------------------------------

    def _setoption(self, text: str) -> None:
        name, value = options.parse_setoption(text)
        remark = self._options.set(find_option(self._options, name), value)
        if remark is not None:
            self._say(remark)

    # --- The position -------------------------------------------------------------------------------------------------

    def _ucinewgame(self, _: str) -> None:
        self._end_search()
        self._player.new_game()

    def _position(self, text: str) -> None:
        self._end_search()
        self._player.move_to(parse_position(text))

    # --- Searching ----------------------------------------------------------------------------------------------------

    def _go(self, text: str) -> None:
        self._end_search()
        go = parse_go(text)
        for remark in go.remarks:
            self._say(remark)
        if "perft" in go.numbers:
            depth = go.numbers["perft"]
            self._search = PerftRun(self._player.setup, depth, self._writes_chess960(), self._write, self._say)
        elif not self._play_book(go):
            self._search = self._start_search(go)

    def _start_search(self, go: Go) -> Search | None:
        setup, chess960 = self._player.setup, self._writes_chess960()
        ended = functools.partial(self._end_of_search, setup, chess960)
        try:
            engine = self._player.ready()
            limit = go.limit(setup.turn, tuple(self._player.legal_moves(go.moves)))
            if self._debug:
                self._say(str(limit))
            infos = engine.search(limit)
        except Exception as error:  # Whatever it is: a GUI waits for a move, and a game goes on.
            self._failed(error)
            ended(())
            return None
        return Search(
            engine,
            infos,
            listener=functools.partial(self._show_info, chess960, self._options.is_on(options.SHOW_WDL)),
            failed=self._failed,
            ended=ended,
            held=go.ponders or go.is_endless,
            endless=go.is_endless,
        )

    def _show_info(self, chess960: bool, show_wdl: bool, info: Info) -> None:
        self._write(format_info(info, chess960, show_wdl))

    def _failed(self, error: Exception) -> None:
        if self._failed_hook is not None:
            self._failed_hook(error)
        self._say(f"the engine has failed: {type(error).__name__}: {error}")

    def _end_of_search(self, setup: Setup, chess960: bool, line: tuple[int, ...]) -> None:
        self._write(format_best_move(line or any_legal_move(setup), chess960))

    def _end_search(self) -> None:
        """Stop what runs, if anything does; its bestmove is written when this returns."""
        if self._search is not None:
            self._search.end()
            self._search = None

    def _ponderhit(self, _: str) -> None:
        if isinstance(self._search, Search):
            self._search.ponder_hit()

    def _play_book(self, go: Go) -> bool:
        """Answer from the book, if it is to be used and knows the position. An analysis never does."""
        if go.ponders or go.is_endless or go.moves:
            return False
        try:
            move = self._options.book_move(self._player.setup)
        except Ox88Error as error:
            self._say(str(error))
            return False
        if move == NO_MOVE:
            return False
        self._write(format_best_move((move,), self._writes_chess960()))
        return True

    # --- For people ---------------------------------------------------------------------------------------------------

    def _show(self, _: str) -> None:
        for line in diagram(self._player.setup):
            self._write(line)

    def _evaluate(self, _: str) -> None:
        self._end_search()
        for line in self._player.ready().evaluation_text().splitlines():
            self._write(line)

    def _flip(self, _: str) -> None:
        self._end_search()
        self._player.move_to(Game(flipped(self._player.setup)))

    def _bench(self, _: str) -> None:
        self._end_search()
        if self._bench_hook is None:
            raise EngineError("bench: there is none here")
        self._bench_hook(self._write)
