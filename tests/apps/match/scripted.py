"""Participants that play by the script in engine.py, and a game between two."""

import asyncio
import sys
from pathlib import Path

import chess.pgn

from ox88.apps.match.engine_process import EngineProcess
from ox88.apps.match.game import Adjudication, FinishedGame, MatchGame, Rules
from ox88.apps.match.openings import Opening
from ox88.apps.match.participant import Limits, Participant

SCRIPT = str(Path(__file__).parent / "engine.py")
NODES = Limits(nodes=10)
SOON_DRAWN = Rules(Adjudication(draw_move=0, draw_plies=6, draw_score=10, win_plies=6, win_score=500))


def scripted(*habits: str, name: str = "Test", protocol: str = "uci", limits: Limits = NODES) -> Participant:
    """An engine with habits, such as `crash=2`. Two of them agree on a draw after six plies of SOON_DRAWN."""
    return Participant(name, limits, (sys.executable, SCRIPT, protocol, *habits), protocol=protocol)


def command_text(participant: Participant) -> str:
    """The participant as an argument of the command line."""
    return f"{' '.join(participant.command)}; name={participant.name}; protocol={participant.protocol}"


def play(
    white: Participant, black: Participant, *openings: Opening, rules: Rules = SOON_DRAWN, games: int = 1
) -> list[FinishedGame]:
    """So many games between two from each opening, with the engines ended afterwards."""

    async def run() -> list[FinishedGame]:
        players = EngineProcess(white), EngineProcess(black)
        try:
            each = [opening for opening in openings or [Opening()] for _ in range(games)]
            return [await MatchGame(one, *players, rules).play({"White": white.name}) for one in each]
        finally:
            for player in players:
                await player.stop()

    return asyncio.run(run())


def games_in(path: Path) -> list[chess.pgn.Game]:
    """The games of a PGN file, as python-chess reads them."""
    with path.open(encoding="utf-8") as stream:
        games = list(iter(lambda: chess.pgn.read_game(stream), None))
    assert not any(game.errors for game in games)
    return games
