"""Contenders that play by the script in engine.py, and a game between two."""

import asyncio
import sys
from pathlib import Path

from ox88.apps.match.contender import Contender, Protocol
from ox88.apps.match.game import Game, Played, Rules
from ox88.apps.match.openings import Opening
from ox88.apps.match.pace import Pace
from ox88.apps.match.player import Player
from ox88.apps.match.referee import Adjudication

SCRIPT = str(Path(__file__).parent / "engine.py")
NODES = Pace(nodes=10)
SOON_DRAWN = Rules(Adjudication(draw_move=0, draw_plies=6, draw_score=10, win_plies=6, win_score=500))


def scripted(*habits: str, name: str = "Test", protocol: Protocol = "uci", pace: Pace = NODES) -> Contender:
    """An engine with habits, such as `crash=2`. Two of them agree on a draw after six plies of SOON_DRAWN."""
    return Contender(name, pace, (sys.executable, SCRIPT, protocol, *habits), protocol=protocol)


def words_of(contender: Contender) -> str:
    """The contender as an argument of the command line."""
    return f"{' '.join(contender.command)}; name={contender.name}; protocol={contender.protocol}"


async def play_on(white: Player, black: Player, opening: Opening, rules: Rules = SOON_DRAWN) -> Played:
    return await Game(opening, white, black, rules).play({"White": white.contender.name})


def play(
    white: Contender, black: Contender, opening: Opening | None = None, rules: Rules = SOON_DRAWN, games: int = 1
) -> list[Played]:
    """Games between two, with the engines ended afterwards."""

    async def run() -> list[Played]:
        players = Player(white), Player(black)
        try:
            return [await play_on(*players, opening or Opening(), rules) for _ in range(games)]
        finally:
            for player in players:
                await player.stop()

    return asyncio.run(run())
