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
from typing import ClassVar, Final

import chess
import chess.engine
import chess.syzygy

from ox88.apps.match.engine_process import EngineMove, EngineProcess
from ox88.apps.match.game import FinishedGame, MatchGame, Rules
from ox88.apps.match.openings import Opening, RandomOpenings
from ox88.apps.match.participant import Limits, Participant
from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from ox88.engines.registry import MICROMAX, MODERN
from tools.proof.campaign import Campaign, FailureError, Tally
from tools.proof.games.referee import CLOCK, MARGIN, Player, play
from tools.proof.games.talker import STARTING, Talker
from tools.proof.games.waiting import seconds_over, waited_together
from tools.proof.placing import place

GAMES: Final = 10  # Of a case, between the same processes.
TABLES: Final = "OX88_PROOF_TABLES"  # The environment's name for a folder with Syzygy tables.
ENDINGS: Final = ("KRk", "KQk", "KPk", "KBNk", "KQkr", "KRkp", "KPkp", "KRPkr", "KBPkn", "KNNkp")
UCI: Final = ("stockfish", "ethereal-chess", "toga2", "glaurung", "gnuchess --uci")
XBOARD: Final = ("fairymax", "phalanx", "sjeng", "gnuchess --xboard")
_DEBIAN_GAMES: Final = "/usr/games"
_LIMITS: Final = Limits(CLOCK)


class Games(Campaign):
    """A case is ten games of one kind, which its number chooses."""

    goal: ClassVar = 1_000
    block: ClassVar = 1

    def run(self, case: int, seed: int, tally: Tally) -> None:
        kind = KINDS[case % len(KINDS)]
        kind(Random(f"{seed} {case}"), tally)  # noqa: S311 - No secrets.


# --- Ox88 against itself ----------------------------------------------------------------------------------------------


def at_random_options(random: Random, tally: Tally) -> None:
    """Games over plain UCI, whose every line is judged; before each the options change."""
    words = ("-m", "ox88", "uci")
    with Talker(words) as first, Talker(words) as second:
        players = [Player(first), Player(second)]
        for player in players:
            player.talker.say("uci")
            player.talker.hear("uciok", STARTING)
            player.talker.say("isready")
            player.talker.hear("readyok", STARTING)
        for _ in range(GAMES):
            board = random_start(random)
            for player in players:
                player.set_options([*random_options(random), ("UCI_Chess960", str(board.chess960).lower())])
            white, black = random.sample(players, 2)
            play(white, black, board, random, tally)
            tally.counts["games: Ox88 at random options"] += 1
        for player in players:
            player.talker.quit()


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
    """A move may be late by what the process waits for a core. over: seconds that a move was later, at most."""

    over = 0.0

    async def play(self, board: chess.Board, limit: chess.engine.Limit, game: object) -> EngineMove:
        process = self._transport.get_pid() if self._transport else None
        waited = waited_together(process)
        answer = await super().play(board, limit, game)
        clock = limit.white_clock if board.turn else limit.black_clock
        if clock is None or answer.seconds <= clock:
            return answer
        over = seconds_over(answer.seconds, clock, waited_together(process) - waited)
        self.over = max(self.over, over)
        return dataclasses.replace(answer, seconds=clock + over)


def against_uci(random: Random, tally: Tally) -> None:
    _against(Participant("Ox88", _LIMITS, builtin=MODERN.name), random.choice(_installed(UCI)), "uci", random, tally)


def against_xboard(random: Random, tally: Tally) -> None:
    own = Participant("Ox88", _LIMITS, (sys.executable, "-m", "ox88", "xboard"), protocol="xboard")
    _against(own, random.choice(_installed(XBOARD)), "xboard", random, tally)


def with_micromax(random: Random, tally: Tally) -> None:
    """micro-Max over UCI against an engine of XBoard."""
    own = Participant("micro-Max", _LIMITS, builtin=MICROMAX.name)
    _against(own, random.choice(_installed(XBOARD)), "xboard", random, tally)


def _against(own: Participant, command: str, protocol: str, random: Random, tally: Tally) -> None:
    words = tuple(command.split())
    other = Participant(words[0], _LIMITS, words, protocol=protocol)
    openings = RandomOpenings(seed=random.getrandbits(32))
    games = [(openings.opening(number), number % 2 == 0) for number in range(GAMES)]
    for end in _match(own, other, games, tally):
        if end.failed is not None and end.failure:
            tally.counts[f"games that {other.name} lost by a failure"] += 1
    tally.counts[f"games: {own.name} against {other.name} by {protocol.replace('xboard', 'XBoard')}"] += GAMES


# --- Endings ----------------------------------------------------------------------------------------------------------


def with_tables(random: Random, tally: Tally) -> None:
    """Endings of few men, with Syzygy tables where there are some."""
    folder = os.environ.get(TABLES, "")
    options = (("SyzygyPath", folder),) if folder else ()
    white, black = (Participant(name, _LIMITS, builtin=MODERN.name, options=options) for name in ("Ox88", "Ox88 (2)"))
    boards = [_ending(random) for _ in range(GAMES)]
    games = [(Opening(board.fen(), ()), True) for board in boards]
    for board, end in zip(boards, _match(white, black, games, tally), strict=True):
        expected = _known_result(board, folder)
        if expected is not None:
            is_same = end.end.result == expected
            tally.counts[f"endings with {'the result' if is_same else 'another result than that'} of the tables"] += 1
    tally.counts[f"games: endings with{'' if folder else 'out'} tables"] += GAMES


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
        return {2: "1-0", -2: "0-1"}.get(result, "1/2-1/2")
    return None


@cache
def _tables(folder: str) -> chess.syzygy.Tablebase:
    return chess.syzygy.open_tablebase(folder)


# --- Matches ----------------------------------------------------------------------------------------------------------


def _match(own: Participant, other: Participant, games: list[tuple[Opening, bool]], tally: Tally) -> list[FinishedGame]:
    """Play some games; with True, `own` has White. Raises FailureError if an engine of Ox88 has failed."""
    return asyncio.run(_play(own, other, games, tally))


async def _play(
    own: Participant, other: Participant, games: list[tuple[Opening, bool]], tally: Tally
) -> list[FinishedGame]:
    engines = (_Measured(own), _Measured(other))
    ended = []
    try:
        for opening, has_white in games:
            white, black = engines if has_white else engines[::-1]
            end = await MatchGame(opening, white, black, Rules(margin=MARGIN)).play({})
            failed = white if end.failed == chess.WHITE else black
            if end.failure and (failed is engines[0] or failed.participant.builtin):
                raise FailureError(f"{failed.participant.name}: {end.end.reason}\n{end.pgn}")
            ended.append(end)
        tally.measure(f"milliseconds over the clock, {own.name} in a match", max(1000 * engines[0].over, 0.0))
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


Kind = Callable[[Random, Tally], None]
KINDS: Final[tuple[Kind, ...]] = (
    *(at_random_options,) * 4,
    *(against_uci,) * 2,
    against_xboard,
    with_micromax,
    *(with_tables,) * 2,
)
