"""The strong engine behind the common interface: options, positions, limits, threads."""

import functools
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import psutil

from ox88.bitboard.legality import is_legal
from ox88.bitboard.movegen import generate_legal
from ox88.bitboard.moves import do_move, undo_move
from ox88.bitboard.position import make_position, set_position, to_setup
from ox88.bitboard.records import MOVE_LIST, UNDO, make_record
from ox88.bitboard.tables import board_tables
from ox88.engines.base import EngineError, Info, Limit, MissingEngineFileError, OptionValue, Score, find_option, fit
from ox88.engines.modern.evaluation_text import network_text, people_text, terms_text, value_text
from ox88.engines.modern.human.player import choose, infos_of, likeliest, make_dice, plays_by_search
from ox88.engines.modern.human.policy import Past
from ox88.engines.modern.network.file import NetworkError, read_network, shipped_network
from ox88.engines.modern.options import (
    MOST_HUMAN_ELO,
    OPTIONS,
    PARAMETERS,
    SHIPPED_NETWORK,
    TERM_SWITCHES,
    requested_strength,
)
from ox88.engines.modern.parallel_search import ParallelSearch, RootMoves, SearchRequest
from ox88.engines.modern.static_eval import evaluate_position, evaluates_by_network
from ox88.engines.modern.table import GENERATIONS, make_table
from ox88.engines.modern.thread import DEEPEST, ENDLESS, NodePool, SearchThread
from ox88.engines.time_management import move_budget
from ox88.fen import STARTPOS
from ox88.jit import compile_beside
from ox88.setup import Setup, format_fen, parse_fen
from ox88.types import EMPTY, PIECE_SYMBOLS, format_uci

if TYPE_CHECKING:  # Imported with the first tables: most searches need no python-chess.
    from ox88.engines.modern.tablebase import Tablebase

NAME: Final = "Ox88"
SPARE_MEMORY: Final = 64 << 20  # Bytes of free memory that a hash table must leave.
TABLE_SHARE: Final = 0.5  # Of the hard limit, for looking up tables: a search adds little to what they know.


class PositionHistory:
    """A POSITION record with its history.

    position: the record. keys: of the positions before it, the oldest first; they tell repetitions.
    """

    def __init__(self) -> None:
        self.position = make_position(parse_fen(STARTPOS))
        self.keys: list[int] = []
        self._undos: list[Any] = []

    def set_position(self, setup: Setup) -> None:
        """Start from a position, with no history. Raises IllegalPositionError."""
        set_position(self.position, setup)
        self.keys.clear()
        self._undos.clear()

    def push(self, move: int) -> None:
        """Make a move. Raises EngineError if it is not legal."""
        tables = board_tables()
        if not is_legal(self.position, tables, np.int64(move)):
            raise EngineError(f"{format_uci(move)} is not legal in {format_fen(self.setup)}")
        undo = make_record(UNDO)
        self.keys.append(int(self.position.key))
        do_move(self.position, tables, undo, np.int64(move))
        self._undos.append(undo)

    def pop(self) -> None:
        """Take the last move back. Raises EngineError if there is none."""
        if not self._undos:
            raise EngineError("there is no move to take back")
        undo_move(self.position, self._undos.pop())
        self.keys.pop()

    @property
    def past(self) -> Past:
        """The last moves of both sides, as far as they are known."""
        last, own = [*reversed(self._undos[-2:]), None, None][:2]
        return Past.of(last and int(last.move), own and int(own.move), last is not None and last.captured != EMPTY)

    @property
    def plies(self) -> int:
        """The plies since the start of the game, by the move number of the position."""
        return 2 * (int(self.position.fullmove_number) - 1) + int(self.position.turn)

    @property
    def setup(self) -> Setup:
        return to_setup(self.position)

    def legal_moves(self) -> list[int]:
        moves = make_record(MOVE_LIST)
        count = generate_legal(self.position, board_tables(), moves)
        return [int(move) for move in moves.moves[:count]]

    def likeliest(self, rating: int) -> list[tuple[int, float]]:
        """The legal moves, see `human/player.py`; none at the end of a game."""
        moves = self.legal_moves()
        return likeliest(self.position, moves, self.past, rating) if moves else []


@functools.cache
def compile_levels() -> None:
    """Compile or load what chooses moves as people do, before a clock runs."""
    PositionHistory().likeliest(MOST_HUMAN_ELO)


class Modern:
    """The engine. Only one thread at a time may use it, but any thread may call `stop` and `ponder_hit`.

    table: the transposition table. threads: the search threads, the leading one first.
    """

    name = NAME

    def __init__(self) -> None:
        compile_beside("ox88.engines.modern.second_process")
        self._game = PositionHistory()
        self._options: dict[str, OptionValue] = {option.name: option.default for option in OPTIONS}
        self._generation = 0
        self.table = make_table(int(self._options["Hash"] or 0))
        self._network = shipped_network()  # None: this copy of Ox88 has no network.
        self._last_network = self._network  # What evaluated the positions in the table; None: no network.
        self.threads = [self._new_thread()]
        self._tablebase: Tablebase | None = None
        self._search: ParallelSearch | None = None
        self._root_key = 0  # The key of the position that is searched.
        self._found: tuple[int, int] | None = None  # The key of the last position with a result, and its value.

    # --- The position -----------------------------------------------------------------------------------------------

    @property
    def setup(self) -> Setup:
        return self._game.setup

    def set_position(self, setup: Setup) -> None:
        self._end_search()
        self._game.set_position(setup)

    def push(self, move: int) -> None:
        self._end_search()
        self._game.push(move)

    def pop(self) -> None:
        self._end_search()
        self._game.pop()

    def new_game(self) -> None:
        """Clear the histories and the table."""
        self._end_search()
        self.table.fill(0)
        self._generation = 0
        self._found = None
        for thread in self.threads:
            thread.forget()

    # --- Options ----------------------------------------------------------------------------------------------------

    def set_option(self, name: str, value: OptionValue = None) -> str | None:
        """Set an option of options.py. Returns a remark for the user or None; raises EngineError."""
        option = find_option(OPTIONS, name)
        fitted, remark = fit(option, value)
        self._end_search()
        match option.name:
            case "Hash":
                self._set_hash(_number(fitted))
            case "Clear Hash":
                self.table.fill(0)
            case "Threads":
                self._set_threads(_number(fitted))
            case "SyzygyPath":
                from ox88.engines.modern.tablebase import Tablebase

                self._tablebase = Tablebase(str(fitted)) if fitted else None
            case "EvalFile":
                self._set_network(str(fitted))
            case name if option.expert:
                for thread in self.threads:
                    thread.set_parameter(name, _number(fitted))
        self._options[option.name] = fitted
        self._choose_evaluation()
        return remark

    def _set_threads(self, count: int) -> None:
        try:
            added = [self._new_thread() for _ in range(count - len(self.threads))]
        except MemoryError as error:
            told = f"Threads: there is not enough memory for {count}; there are {len(self.threads)}, as before"
            raise EngineError(told) from error
        self.threads = [*self.threads, *added][:count]

    def _set_hash(self, megabytes: int) -> None:
        """Make a new table. The old one is freed first, but not before there is enough memory for the new one."""
        available = psutil.virtual_memory().available + self.table.nbytes - SPARE_MEMORY
        if megabytes << 20 > available:
            raise EngineError(
                f"Hash: a table of {megabytes} MB is more than the {max(available, 0) >> 20} MB of free memory;"
                f" it stays at {self._options['Hash']} MB"
            )
        self.table = make_table(1)
        try:
            self.table = make_table(megabytes)
        except MemoryError as error:
            self.table = make_table(_number(self._options["Hash"]))
            raise EngineError(f"Hash: there is not enough memory for a table of {megabytes} MB") from error

    def _set_network(self, name: str) -> None:
        """Use the network in a file, or the one that Ox88 comes with."""
        is_shipped = name in ("", SHIPPED_NETWORK.name)
        try:
            network = shipped_network() if is_shipped else read_network(Path(name))
            if network is not None:
                network.check_size()
        except NetworkError as error:
            kind = MissingEngineFileError if isinstance(error.__cause__, FileNotFoundError) else EngineError
            told = f"EvalFile: {error}; name another file, or none for the network that Ox88 comes with"
            raise kind(told) from None
        self._network = network

    def _new_thread(self) -> SearchThread:
        thread = SearchThread(self._last_network)
        for parameter in PARAMETERS + TERM_SWITCHES:
            thread.set_parameter(parameter.name, _number(self._options[parameter.name]))
        return thread

    def _choose_evaluation(self) -> None:
        """Evaluate by the network, unless it is switched off or the strength is limited.

        The levels' searches were measured with the handcrafted evaluation, and are equal with any network.
        What was learnt from positions that were evaluated in another way is forgotten. To empty a large table takes
        long, so this is done when an option is set, and not on the clock of a move.
        """
        strength = requested_strength(self._options)
        is_limited = strength is not None
        if strength is not None and strength.rating is not None:
            compile_levels()
        network = self._network if self._options["Use NNUE"] and not is_limited else None
        if network is self._last_network:
            return
        self._last_network = network
        self.table.fill(0)
        for thread in self.threads:
            thread.set_network(network)
            thread.forget()

    # --- Searching --------------------------------------------------------------------------------------------------

    def search(self, limit: Limit) -> Iterator[Info]:
        """Search; yields an Info for each finished depth and line. Without a limit it runs until it is stopped."""
        self._end_search()
        legal = self._game.legal_moves()
        moves = tuple(move for move in legal if not limit.moves or move in limit.moves)
        if not moves and legal:
            names = ", ".join(format_uci(move) for move in limit.moves)
            raise EngineError(f"none of the moves to search, {names}, is legal in {format_fen(self.setup)}")
        if not moves:
            return iter((Info(0, Score(mate=0) if self.setup.is_check() else Score(centipawns=0), 0, 0.0),))
        shown = _number(self._options["MultiPV"])
        strength = requested_strength(self._options)
        if strength is not None and strength.rating is not None:
            started, position = time.perf_counter(), self._game.position
            dice = make_dice(_number(self._options["Seed"]), int(position.key))
            if not plays_by_search(position, strength.rating, dice):
                lines = choose(position, moves, self._game.past, strength.rating, dice)
                return iter(infos_of(lines[:shown], started))
        budget = move_budget(limit, _number(self._options["Move Overhead"]) / 1000, self._game.plies)
        root = RootMoves(moves)
        if self._tablebase is not None:
            started = time.perf_counter()
            seconds = math.inf if budget is None else TABLE_SHARE * budget.hard
            root = self._tablebase.look_up(self.setup, moves, seconds, shown)
            budget = budget and budget.after(time.perf_counter() - started)
        threads = self.threads if strength is None else self.threads[:1]  # A level is equally strong on any machine.
        nodes = [limit.nodes] if limit.nodes is not None else []
        nodes += [strength.nodes] if strength is not None else []
        request = SearchRequest(
            root,
            depth=DEEPEST if limit.depth is None else min(max(limit.depth, 1), DEEPEST),
            budget=budget,
            last_value=self._last_value(),
            mate=limit.mate or 0,
            lines=shown,
            ponder=limit.ponder,
        )
        self._prepare(threads, min(nodes, default=None))
        self._root_key = int(self._game.position.key)
        self._search = ParallelSearch(threads, self.table, self._generation, request)
        return self._search.infos()

    def _last_value(self) -> int | None:
        """The value of the last search, if it was for the engine's previous move in this game; else None."""
        if self._found is None or self._game.keys[-2:-1] != [self._found[0]]:
            return None
        return self._found[1]

    def _prepare(self, threads: list[SearchThread], nodes: int | None) -> None:
        """Set up the root in some threads. nodes: the limit of all threads together."""
        self._generation = (self._generation + 1) % int(GENERATIONS)
        pool = NodePool(min(nodes, ENDLESS), len(threads)) if nodes is not None else None
        for number, thread in enumerate(threads):
            own = None if pool is None else 0 if number else pool.own
            thread.prepare(self._game.position, self._game.keys, self._generation, own, pool)

    def stop(self) -> None:
        search = self._search
        if search is not None:
            search.stop()

    def ponder_hit(self) -> None:
        search = self._search
        if search is not None:
            search.ponder_hit()

    def _end_search(self) -> None:
        if self._search is not None:
            self._search.close()
            if self._search.value is not None:
                self._found = self._root_key, self._search.value
            self._search = None

    # --- Text -------------------------------------------------------------------------------------------------------

    def board_text(self) -> str:
        """The board as eight lines from rank 8 down, with the letters of FEN."""
        symbols = [PIECE_SYMBOLS[piece] for piece in self._game.setup.board]
        return "".join(" ".join(symbols[rank * 8 : rank * 8 + 8]) + "\n" for rank in range(7, -1, -1))

    def evaluation_text(self) -> str:
        """The handcrafted evaluation by terms, pieces' worths to the network, what a search uses, people's moves."""
        position = self._game.position
        lines = terms_text(position)
        if self._network is not None:
            lines += ["", *network_text(self._network, position)]
        value, is_network = self._search_value()
        source = "network" if is_network else "handcrafted evaluation"
        lines += ["", f"The search uses the {source}: {value_text(value)}"]
        rating = min(_number(self._options["UCI_Elo"]), MOST_HUMAN_ELO)
        if found := self._game.likeliest(rating):
            lines.append(people_text(self.setup, rating, found))
        return "\n".join(lines) + "\n"

    def _search_value(self) -> tuple[int, bool]:
        """Evaluate as a search would with the present options. Returns the value, and True if it is the network's."""
        self._end_search()
        self._prepare(self.threads[:1], None)
        record = self.threads[0].record
        with np.errstate(over="ignore"):  # As plain Python, NumPy would warn.
            return int(evaluate_position(record, board_tables())), bool(evaluates_by_network(record))


def _number(value: OptionValue) -> int:
    """The value of a spin option."""
    return int(value or 0)
