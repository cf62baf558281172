"""Games at a quick clock: Ox88 and micro-Max lose none by an illegal move, a crash, a hang or their clock.

`ox88 match` is the referee: its PGN names each failure.
"""

import os
from pathlib import Path
from random import Random

import chess
import chess.pgn
import pytest

from ox88.engines.modern.options import LEAST_ELO, MOST_ELO
from tests.conftest import RunPython
from tests.positions import place

pytestmark = pytest.mark.slow

GAMES = 4
CLOCK = "0.5+0.005"
ENDINGS = ("KRk", "KQk", "KPk", "KBNk", "KQkr", "KRkp", "KPkp", "KRPkr", "KBPkn", "KNNkp")
TABLES = os.environ.get("OX88_SYZYGY", "")  # A folder with Syzygy tables, if there is one.


def random_options(chance: Random) -> str:
    """Settings of Ox88 in a match; most are the usual ones."""
    values = {
        "Threads": chance.choice((1, 1, 2)),
        "Hash": chance.choice((1, 2, 16, 64)),
        "UCI_LimitStrength": chance.random() < 0.2,
        "UCI_Elo": chance.randint(LEAST_ELO, MOST_ELO),
        "Skill Level": chance.choice((20, 20, 20, chance.randint(0, 20))),
        "UCI_ShowWDL": chance.random() < 0.5,
        "Use NNUE": chance.random() < 0.7,
    }
    return "".join(f"; {name}={str(value).lower()}" for name, value in values.items())


@pytest.mark.parametrize(
    ("own", "other", "start"),
    [
        *(("Ox88", "Ox88", start) for start in ("random", "chess960", "endings")),
        *(("Ox88", "stockfish", start) for start in ("random", "chess960")),
        ("Ox88; protocol=xboard", "fairymax; protocol=xboard", "random"),
        ("micro-Max", "fairymax; protocol=xboard", "random"),
        ("micro-Max", "stockfish", "endings"),
    ],
)
def test_games(
    own: str,
    other: str,
    start: str,
    chance: Random,
    tmp_path: Path,
    run_ox88: RunPython,
    request: pytest.FixtureRequest,
) -> None:
    is_own = other == "Ox88"
    own += f"{random_options(chance) if own == 'Ox88' else ''}; name=own"
    other += f"{random_options(chance)}; name=own too" if is_own else "; name=other"
    # In a short run the machine may be busy, and nobody loses on time. More rounds want a quiet one.
    margin = "0" if request.config.getoption("rounds") > 1 else "60000"
    options = ["--games", str(GAMES), "--tc", CLOCK, "--margin", margin, "--concurrency", "1", "--pgn", "games.pgn"]
    options += ["--seed", str(chance.randrange(1 << 30)), *["--chess960"] * (start == "chess960")]
    if start == "endings":
        boards = [place(chance.choice(ENDINGS), chance) for _ in range(GAMES)]
        fens = [board.fen() for board in boards if not board.is_game_over()]
        (tmp_path / "endings.epd").write_text("\n".join([*fens, "8/8/8/4k3/8/8/8/KQ6 w - - 0 1"]))
        options += ["--openings", "endings.epd", *["--option", f"SyzygyPath={TABLES}"] * bool(TABLES and is_own)]
    process = run_ox88("match", own, other, *options, cwd=tmp_path)
    assert process.returncode == 0, process.stderr
    with (tmp_path / "games.pgn").open(encoding="utf-8") as file:
        games = list(iter(lambda: chess.pgn.read_game(file), None))
    assert len(games) == GAMES
    for game in games:
        colour, _, failure = game.headers.get("Failure", "").partition(": ")
        assert not (failure and game.headers[colour].startswith("own")), str(game)
