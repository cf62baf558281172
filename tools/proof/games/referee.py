"""Games of Ox88 against itself over UCI, judged line by line: clocks, pondering, stops, and all that it says."""

import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

import chess

from ox88.apps.time_control import RemainingTime, TimeControl
from ox88.cores import cores
from ox88.rules import game_end
from tools.proof.campaign import WORKERS, FailureError, Tally
from tools.proof.games.talker import Said, Talker
from tools.proof.games.waiting import seconds_over
from tools.proof.games.wording import check_info, check_line

CLOCK: Final = TimeControl(0.5, 0.005)
MARGIN: Final = 0.05  # Seconds by which a move may be late.
MOST_PLIES: Final = 400  # Then a game is over.
_STOPS: Final = 0.02  # Of the moves, how many are searched without a limit and stopped.
_LONGEST: Final = 0.05  # Seconds until such a stop.


@dataclass(slots=True)
class Player:
    """One side. threads: of its searches. lines: MultiPV. ahead: the position that it ponders on, after its guess."""

    talker: Talker
    threads: int = 1
    lines: int = 1
    ponders: bool = False
    ahead: chess.Board | None = None
    clock: RemainingTime = field(default_factory=lambda: RemainingTime(CLOCK))

    def set_options(self, options: Sequence[tuple[str, str]]) -> None:
        """Set options and begin a game."""
        values = dict(options)
        self.threads, self.lines = int(values["Threads"]), int(values["MultiPV"])
        self.ponders = values["Ponder"] == "true"
        self.ahead, self.clock = None, RemainingTime(CLOCK)
        for name, value in options:
            self.talker.say(f"setoption name {name} value {value}")
        self.talker.say("ucinewgame")
        self.talker.say("isready")
        heard = self.talker.hear("readyok")
        wrong = [said.text for said in heard[:-1] if not said.text.startswith("info string")]
        if wrong:
            raise self.talker.failure(f"it answers setoption with {wrong}")


def play(white: Player, black: Player, board: chess.Board, random: Random, tally: Tally) -> None:
    """Play a game to its end. The players are ready. Raises FailureError."""
    sides = {chess.WHITE: white, chess.BLACK: black}
    while game_end(board) is None and len(board.move_stack) < MOST_PLIES:
        player = sides[board.turn]
        move, guess = _turn(player, sides, board, random, tally)
        board.push(move)
        tally.counts["moves at random options"] += 1
        ahead = board.copy()
        if player.ponders and guess is not None and game_end(board) is None:
            ahead.push(guess)
            if game_end(ahead) is None:
                player.ahead = ahead
                _say_position(player, ahead)
                player.talker.say(f"go ponder {_clocks(sides)}")
    for player in sides.values():
        _stop_pondering(player, tally)
        player.talker.check_silent()


def _turn(
    player: Player, sides: dict[chess.Color, Player], board: chess.Board, random: Random, tally: Tally
) -> tuple[chess.Move, chess.Move | None]:
    """A player's move, and the one to ponder on."""
    talker = player.talker
    if player.ahead is not None and board.peek() == player.ahead.peek():
        player.ahead = None
        order = "ponderhit"
    else:
        _stop_pondering(player, tally)
        talker.check_silent()
        _say_position(player, board)
        if random.random() < _STOPS:
            talker.say("go infinite")
            time.sleep(random.uniform(0, _LONGEST))
            return _read_answer(player, _stop(player, tally), board)
        order = f"go {_clocks(sides)}"
    waiting = talker.waiting()
    sent = talker.say(order)
    heard = talker.hear("bestmove")
    _spend(player, sides, heard[-1].at - sent, waiting.seconds(), tally)
    return _read_answer(player, heard, board)


def _say_position(player: Player, board: chess.Board) -> None:
    moves = " ".join(move.uci() for move in board.move_stack)
    player.talker.say(f"position fen {board.root().fen()}" + f" moves {moves}" * bool(moves))


def _clocks(sides: dict[chess.Color, Player]) -> str:
    white, black = (max(1, round(1000 * sides[side].clock.seconds)) for side in (chess.WHITE, chess.BLACK))
    increment = round(1000 * CLOCK.increment)
    return f"wtime {white} btime {black} winc {increment} binc {increment}"


def _stop_pondering(player: Player, tally: Tally) -> None:
    """Stop the search of a player that ponders. What it has said must fit the position that it pondered on."""
    if player.ahead is not None:
        ahead, player.ahead = player.ahead, None
        _read_answer(player, _stop(player, tally), ahead)


def _stop(player: Player, tally: Tally) -> list[Said]:
    """Stop a search. Returns what it has said."""
    waiting = player.talker.waiting()
    sent = player.talker.say("stop")
    heard = player.talker.hear("bestmove")
    seconds, waited = heard[-1].at - sent, waiting.seconds()
    tally.counts["stops"] += 1
    label = "milliseconds from stop to bestmove"
    tally.measure(label, 1000 * seconds_over(seconds, 0.0, 0.0))
    tally.measure(f"{label}, beside waiting for a core", 1000 * seconds_over(seconds, 0.0, waited))
    return heard


def _spend(player: Player, sides: dict[chess.Color, Player], seconds: float, waited: float, tally: Tally) -> None:
    """Take time off a clock. A move may be late by what its process has waited for a core; with more threads than
    cores, by anything.
    """
    clock = player.clock.seconds
    searching = sum(one.threads for one in sides.values() if one is player or one.ahead is not None)
    if searching > _cores():
        tally.counts["moves with more threads than cores, only reported"] += 1
        over = seconds_over(seconds, clock, waited)
        tally.measure("milliseconds over the clock, with more threads than cores", 1000 * over)
    else:
        tally.counts[f"moves held to the clock, at random options, Threads {player.threads}"] += 1
        over = held_to_the_clock(seconds, clock, waited, "at random options", tally)
        if over > MARGIN:
            raise player.talker.failure(f"it loses on time, {1000 * over:.0f} ms over")
    player.clock.spend(min(seconds, clock), MARGIN)


def held_to_the_clock(seconds: float, clock: float, waited: float, kind: str, tally: Tally) -> float:
    """Seconds by which a move counts as late, as seconds_over tells them. kind: of the moves, for the label.

    Counts a move that loses on time but for its wait for a core.
    """
    over, late = (seconds_over(seconds, clock, excused) for excused in (waited, 0.0))
    tally.measure(f"milliseconds over the clock, {kind}", 1000 * over)
    if over <= MARGIN < late:
        tally.counts["moves excused"] += 1
        tally.measure("milliseconds excused", 1000 * (late - over))
    return over


def _cores() -> int:
    """Those of this worker. If nobody tells how many workers there are, they play a game on each core."""
    return max(1, cores() // int(os.environ.get(WORKERS, cores())))


def _read_answer(player: Player, heard: list[Said], board: chess.Board) -> tuple[chess.Move, chess.Move | None]:
    """The moves of `bestmove`; everything before it is checked too."""
    try:
        for said in heard[:-1]:
            if not said.text.startswith("info "):
                raise FailureError(f"{said.text!r} is no answer to go")
            check_info(said.text, board, player.lines)
        words = heard[-1].text.split()
        if words[0::2] != ["bestmove", "ponder"][: len(words) // 2]:
            raise FailureError(f"it says {heard[-1].text}")
        check_line(words[1::2], board)
    except FailureError as failure:
        raise player.talker.failure(str(failure)) from None
    move, ahead = board.parse_uci(words[1]), board.copy(stack=False)
    ahead.push(move)
    return move, ahead.parse_uci(words[3]) if len(words) > 2 else None
