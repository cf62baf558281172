"""Whether the games of a PGN file were played to an end by the rules, and have the results that the rules give them.

    python -m tools.finished_game game.pgn

python-chess judges. The exit code is 0 where all is well, 1 where a game is not finished or wrong, and 2 where there is
no game to judge.
"""

import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.pgn
import click


@click.command()
@click.argument("path", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def main(path: Path) -> None:
    """Check that every game of the file PATH has come to its end by the rules of chess."""
    games = list(read_games(path))
    if not games:
        raise click.UsageError(f"there is no game in {str(path)!r}")
    verdicts = [judge(game) for game in games]
    for game, (_, words) in zip(games, verdicts, strict=True):
        click.echo(f"{title(game)}, {words}")
    sys.exit(0 if all(is_right for is_right, _ in verdicts) else 1)


def read_games(path: Path) -> Iterator[chess.pgn.Game]:
    """Each game; what cannot be played in it stands in its errors."""
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            yield game


def judge(game: chess.pgn.Game) -> tuple[bool, str]:
    """Whether a game is finished and its result right, and that in words."""
    board, place = game.end().board(), f"move {(game.end().ply() + 1) // 2}"
    if game.errors:
        return False, f"{place}: {game.errors[0]}"
    end = ending(board)
    if end is None:
        return False, f"{place}: not finished, {board.fen()}"
    result, reason = end
    told = game.headers.get("Result", "*")
    return told == result, f"{place}: {result} by {reason}" + ("" if told == result else f", but the file says {told}")


def ending(board: chess.Board) -> tuple[str, str] | None:
    """The result and the rule that has ended the game; third repetition and fifty moves need no claim."""
    outcome = board.outcome()
    if outcome is not None:
        return outcome.result(), outcome.termination.name.lower().replace("_", " ")
    if board.is_repetition():
        return "1/2-1/2", "threefold repetition"
    return ("1/2-1/2", "fifty moves") if board.is_fifty_moves() else None


def title(game: chess.pgn.Game) -> str:
    return f"{game.headers.get('White', '?')} - {game.headers.get('Black', '?')}"


if __name__ == "__main__":
    main()
