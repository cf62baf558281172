"""Check that each game of a PGN file has ended by the rules, and has the result that the rules give it.

    python -m tools.finished_game game.pgn

The exit code is 0 if all games are finished and right, 1 if one is unfinished or wrong, and 2 if there is no game.
"""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import chess.pgn
import click

from ox88.rules import game_end


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(path: Path) -> None:
    """Check that every game of the PGN file PATH has ended by the rules of chess."""
    games = list(read_games(path))
    if not games:
        raise click.UsageError(f"there is no game in {str(path)!r}")
    verdicts = [check_game(game) for game in games]
    for game, (_, words) in zip(games, verdicts, strict=True):
        click.echo(f"{title(game)}, {words}")
    sys.exit(0 if all(is_right for is_right, _ in verdicts) else 1)


def read_games(path: Path) -> Iterator[chess.pgn.Game]:
    """Each game; moves that cannot be played stand in its `errors`."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def check_game(game: chess.pgn.Game) -> tuple[bool, str]:
    """True if the game is finished and its result right; and a line that says so."""
    board, place = game.end().board(), f"move {(game.end().ply() + 1) // 2}"
    if game.errors:
        return False, f"{place}: {game.errors[0]}"
    end = game_end(board)
    if end is None:
        return False, f"{place}: not finished, {board.fen()}"
    told = game.headers.get("Result", "*")
    words = f"{place}: {end.result} by {end.reason}"
    return (True, words) if told == end.result else (False, f"{words}, but the file says {told}")


def title(game: chess.pgn.Game) -> str:
    return f"{game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"


if __name__ == "__main__":
    main()
