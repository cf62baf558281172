"""The work of one worker of `ox88 puzzles`: the puzzles of one game after another."""

import json
import zlib
from dataclasses import asdict, dataclass
from typing import TypedDict

from ox88.apps.analyse.parsing import as_error, parse_game
from ox88.apps.analyse.records import ErrorRecord
from ox88.apps.analyse.worker import AnalysisSettings, Job, engine_of
from ox88.apps.puzzles.making import puzzles_of_game
from ox88.apps.puzzles.players import colours_of, source_of
from ox88.apps.puzzles.puzzle import Puzzle
from ox88.errors import Ox88Error


@dataclass(frozen=True, slots=True)
class PuzzleSettings(AnalysisSettings):
    """player: whose mistakes are meant; empty for all players."""

    player: str = ""

    def __str__(self) -> str:
        return AnalysisSettings.__str__(self) + f", mistakes of {self.player or 'all'}"


class PuzzlesRecord(TypedDict):
    """The result of a game: its puzzles, as `Puzzle` has them, and what is wrong with its text."""

    puzzles: list[Puzzle]
    errors: list[ErrorRecord]


def make_puzzles(job: Job) -> bytes:
    record = _of_text(job.text, job.settings)
    return zlib.compress(json.dumps({**record, "puzzles": list(map(asdict, record["puzzles"]))}).encode())


def unpack(result: bytes) -> PuzzlesRecord:
    record = json.loads(zlib.decompress(result))
    puzzles = [row | {name: tuple(row[name]) for name in ("moves", "themes")} for row in record["puzzles"]]
    return {"puzzles": [Puzzle(**row) for row in puzzles], "errors": record["errors"]}


def _of_text(text: str, settings: AnalysisSettings) -> PuzzlesRecord:
    parsed = parse_game(text)
    errors, board, tags = list(parsed.errors), parsed.last_board(), parsed.game.headers
    player = getattr(settings, "player", "")
    colours = colours_of(tags, player) if player else []
    whose = colours[0] if len(colours) == 1 else None
    puzzles: list[Puzzle] = []
    try:
        if board.has_chess960_castling_rights() or board.chess960:
            raise Ox88Error("it is a game of Chess960, of which no puzzles are made")
        engine, nodes = engine_of(settings), settings.limit.nodes or 1
        puzzles += puzzles_of_game(engine, board, player=whose, nodes=nodes, source=source_of(tags))
    except Ox88Error as error:
        errors.append(as_error(0, error))
    return {"puzzles": puzzles, "errors": errors}
