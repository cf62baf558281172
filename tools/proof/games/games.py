"""Whole games at half a second a side: nothing illegal, no crash, no stall, and no loss on time."""

import asyncio
import contextlib
import dataclasses
import os
import shutil
import sys
from collections.abc import Callable
from functools import cache
from random import Random
from typing import ClassVar, Final, NamedTuple

import chess
import chess.engine
import chess.syzygy

from ox88.apps.match.engine_process import PATIENCE, EngineMove, EngineProcess
from ox88.apps.match.game import FinishedGame, MatchGame, Rules
from ox88.apps.match.openings import Opening, RandomOpenings
from ox88.apps.match.participant import Limits, Participant
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import MICROMAX, MODERN
from ox88.rules import DRAW
from tools.proof.campaign import Campaign, FailureError, Tally
from tools.proof.games.referee import CLOCK, MARGIN, Player, held_to_the_clock, play
from tools.proof.games.talker import STARTING, Talker
from tools.proof.games.waiting import Waiting
from tools.proof.placing import place

GAMES: Final = 10  # Of a case, between the same processes.
TABLES: Final = "OX88_PROOF_TABLES"  # The environment's name for a folder with Syzygy tables.
ENDINGS: Final = ("KRk", "KQk", "KPk", "KBNk", "KQkr", "KRkp", "KPkp", "KRPkr", "KBPkn", "KNNkp")
UCI: Final = ("stockfish", "ethereal-chess", "toga2", "glaurung", "gnuchess --uci")
XBOARD: Final = ("fairymax", "phalanx", "sjeng")  # GNU Chess does not declare `ping`, and plays no game.
_DEBIAN_GAMES: Final = "/usr/games"
_PLAIN_UCI: Final = ("-m", "ox88", "uci")
_LIMITS: Final = Limits(CLOCK)


class Games(Campaign):
    """A case is ten games of one kind, which its number chooses."""

    goal: ClassVar = 1_000
    block: ClassVar = 1

    def run(self, case: int, seed: int, tally: Tally) -> None:
        kind = KINDS[case % len(KINDS)]
        failures = kind(Random(f"{seed} {case}"), tally)  # noqa: S311 - No secrets.
        if failures:
            raise FailureError("\n\n".join(failures))


# --- Ox88 against itself ----------------------------------------------------------------------------------------------


def at_random_options(random: Random, tally: Tally) -> list[str]:
    """Games over plain UCI, whose every line is judged; before each the options change.

    After a game that fails, new processes go on: the state of the old ones is unknown.
    """
    failures: list[str] = []
    left = GAMES
    while left:
        with Talker(_PLAIN_UCI) as first, Talker(_PLAIN_UCI) as second:
            players = [Player(first), Player(second)]
            for player in players:
                player.talker.say("uci")
                player.talker.hear("uciok", STARTING)
                player.talker.say("isready")
                player.talker.hear("readyok", STARTING)
            left = _play_until_failure(players, left, failures, random, tally)
    return failures


def _play_until_failure(players: list[Player], left: int, failures: list[str], random: Random, tally: Tally) -> int:
    """Play games at random options, and add a failure to the others. Returns how many games are left."""
    try:
        while left:
            left -= 1
            _play_at_random_options(players, random, tally)
        for player in players:
            player.talker.quit()
    except FailureError as failure:
        failures.append(str(failure))
    return left


def _play_at_random_options(players: list[Player], random: Random, tally: Tally) -> None:
    board = random_start(random)
    for player in players:
        player.set_options([*random_options(random), ("UCI_Chess960", str(board.chess960).lower())])
    white, black = random.sample(players, 2)
    play(white, black, board, random, tally)
    tally.counts["games: Ox88 at random options"] += 1


def random_options(random: Random) -> list[tuple[str, str]]:
    """Names and values; most are the usual ones."""
    is_limited = random.random() < 0.2
    values = {
        "Threads": random.choice((1, 1, 2, 3, 4)),
        "Hash": random.choice((1, 2, 16, 64)),
        "MultiPV": random.choice((1, 1, 1, 2, 5)),
        "Ponder": random.random() < 0.4,
        "UCI_LimitStrength": is_limited,
        "UCI_Elo": random.randint(LEAST_ELO, MOST_ELO),
        "Skill Level": random.choice((20, 20, 20, random.randint(0, 20))),
        "UCI_ShowWDL": random.random() < 0.5,
        "Use NNUE": random.random() < 0.7,
    }
    return [(name, str(value).lower()) for name, value in values.items()]


def random_start(random: Random) -> chess.Board:
    """A start position of chess, Chess960, or Chess960 with another row for each side; then some random moves."""
    kind = random.randrange(3)
    board = chess.Board() if kind == 0 else chess.Board.from_chess960_pos(random.randrange(960))
    if kind == 2:
        other = chess.Board.from_chess960_pos(random.randrange(960))
        for square in chess.SquareSet(chess.BB_RANK_8):
            board.set_piece_at(square, other.piece_at(square))
        board.castling_rights = board.rooks
    plain = chess.Board(board.fen(), chess960=kind > 0)
    for _ in range(random.randrange(8)):
        plain.push(random.choice(list(plain.legal_moves)))
        if plain.is_game_over():
            return random_start(random)
    return chess.Board(plain.fen(), chess960=plain.chess960)


# --- Ox88 against others ----------------------------------------------------------------------------------------------


class _Measured(EngineProcess):
    """A move may be late by what the process waits for a core."""

    def __init__(self, participant: Participant, kind: str, tally: Tally) -> None:
        """kind: of its moves, for labels. tally: takes how late they are, before a game is lost by that."""
        super().__init__(participant)
        self._kind, self._tally = kind, tally

    async def play(
        self, board: chess.Board, limit: chess.engine.Limit, game: object, patience: float = PATIENCE
    ) -> EngineMove:
        waiting = Waiting(self._transport.get_pid() if self._transport else None)
        answer = await super().play(board, limit, game, patience)
        clock = limit.white_clock if board.turn else limit.black_clock
        if clock is None:
            return answer
        self._tally.counts[f"moves held to the clock, {self._kind}"] += 1
        over = held_to_the_clock(answer.seconds, clock, waiting.seconds(), self._kind, self._tally)
        return dataclasses.replace(answer, seconds=min(answer.seconds, clock + over))


def against_uci(random: Random, tally: Tally) -> list[str]:
    return _against(
        Participant("Ox88", _LIMITS, builtin=MODERN.name), random.choice(_installed(UCI)), "uci", random, tally
    )


def against_xboard(random: Random, tally: Tally) -> list[str]:
    own = Participant("Ox88", _LIMITS, (sys.executable, "-P", "-m", "ox88", "xboard"), protocol="xboard")
    return _against(own, random.choice(_installed(XBOARD)), "xboard", random, tally)


def with_micromax(random: Random, tally: Tally) -> list[str]:
    """micro-Max over UCI against an engine of XBoard."""
    own = Participant("micro-Max", _LIMITS, builtin=MICROMAX.name)
    return _against(own, random.choice(_installed(XBOARD)), "xboard", random, tally)


def _against(own: Participant, command: str, protocol: str, random: Random, tally: Tally) -> list[str]:
    """Returns what was wrong with `own`. Failures of the other one are only counted."""
    words = tuple(command.split())
    other = Participant(words[0], _LIMITS, words, protocol=protocol)
    openings = RandomOpenings(seed=random.getrandbits(32))
    games = [(openings.opening(number), number % 2 == 0) for number in range(GAMES)]
    failures = []
    for played in _match(own, other, games, tally):
        if played.failed is other:
            label = f"games that {other.name} lost by a failure"
            tally.counts.update((label, f"{label}: {played.end.failure}"))
        elif played.failed is not None:
            failures.append(str(played))
    tally.counts[f"games: {own.name} against {other.name} by {protocol.replace('xboard', 'XBoard')}"] += GAMES
    return failures


# --- Endings ----------------------------------------------------------------------------------------------------------


def with_tables(random: Random, tally: Tally) -> list[str]:
    """Endings of few men, with Syzygy tables where there are some."""
    folder = os.environ.get(TABLES, "")
    options = (("SyzygyPath", folder),) if folder else ()
    white, black = (Participant(name, _LIMITS, builtin=MODERN.name, options=options) for name in ("Ox88", "Ox88 (2)"))
    boards = [_ending(random) for _ in range(GAMES)]
    games = [(Opening(board.fen(), ()), True) for board in boards]
    failures = []
    for board, played in zip(boards, _match(white, black, games, tally), strict=True):
        expected = _known_result(board, folder)
        if played.failed is not None:
            failures.append(str(played))
        elif expected is not None:
            tally.counts.update(_against_tables(played.end.end.result, expected))
    tally.counts[f"games: endings with{'' if folder else 'out'} tables"] += GAMES
    return failures


def _against_tables(result: str, expected: str) -> list[str]:
    """What to count of an ending: if its result is another one than the tables', also which side has erred."""
    if result == expected:
        return ["endings with the result of the tables"]
    kind = "draws lost" if expected == DRAW else f"wins not won, but {'drawn' if result == DRAW else 'lost'}"
    return ["endings with another result than that of the tables", f"endings: {kind}"]


def _ending(random: Random) -> chess.Board:
    board = place(random.choice(ENDINGS), random)
    return _ending(random) if board.is_game_over() else board


def _known_result(board: chess.Board, folder: str) -> str | None:
    """What the tables know; None without tables for these pieces and all that captures and promotions lead to."""
    if not folder:
        return None
    with contextlib.suppress(chess.syzygy.MissingTableError):
        result = _tables(folder).probe_wdl(board) * (1 if board.turn else -1)
        _tables(folder).probe_dtz(board)
        return {2: "1-0", -2: "0-1"}.get(result, DRAW)
    return None


@cache
def _tables(folder: str) -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(folder)


# --- Matches ----------------------------------------------------------------------------------------------------------


class _Played(NamedTuple):
    """A game of a match. failed: who has lost it by a failure."""

    end: FinishedGame
    failed: Participant | None

    def __str__(self) -> str:
        return f"{self.end.end.reason}\n{self.end.pgn}"


def _match(own: Participant, other: Participant, games: list[tuple[Opening, bool]], tally: Tally) -> list[_Played]:
    """Play some games; with True, `own` has White."""
    return asyncio.run(_play(own, other, games, tally))


async def _play(own: Participant, other: Participant, games: list[tuple[Opening, bool]], tally: Tally) -> list[_Played]:
    kind = f"{own.name} in a match"
    # Only Ox88's own engines are measured.
    engines = tuple(_Measured(one, kind, tally if one is own or one.builtin else Tally()) for one in (own, other))
    ended = []
    try:
        for opening, has_white in games:
            white, black = engines if has_white else engines[::-1]
            end = await MatchGame(opening, white, black, Rules(margin=MARGIN)).play({})
            failed = white if end.failed == chess.WHITE else black
            ended.append(_Played(end, failed.participant if end.failure else None))
    finally:
        for engine in engines:
            await engine.stop()
    return ended


@cache
def _installed(commands: tuple[str, ...]) -> list[str]:
    """The commands that are there. Raises FailureError without any."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), _DEBIAN_GAMES))
    found = [command for command in commands if shutil.which(command.split()[0], path=path)]
    if not found:
        raise FailureError(f"none of these is installed: {', '.join(commands)}")
    return found


Kind = Callable[[Random, Tally], list[str]]  # Returns what was wrong with Ox88.
KINDS: Final[tuple[Kind, ...]] = (
    *(at_random_options,) * 4,
    *(against_uci,) * 2,
    against_xboard,
    with_micromax,
    *(with_tables,) * 2,
)
