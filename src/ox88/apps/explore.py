"""`ox88 explore`: what was played in a position, over the games of PGN files; and this as data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

import click

from ox88.apps.options import Whole
from ox88.fen import STARTPOS

if TYPE_CHECKING:
    import chess
    from rich.console import RenderableType

    from ox88.batch.pgn.explorer import Explorer, Played

# How the moves of a command line begin, so that any other word before them is a file.
_MOVE: Final = r"([KQRBN]?[a-h]?[1-8]?x?[a-h][1-8](=?[QRBNqrbn])?|[O0]-[O0](-[O0])?)[+#!?]*(\s|$)"
_MOVES: Final = re.compile(rf"(\d+\.+\s*)?{_MOVE}|\d+\.+$|$")

_LONGEST_TAG: Final = 80  # Characters shown.


class Tally(TypedDict):
    """How games ended, as of `ox88.batch.pgn.explorer.Played`."""

    count: int
    white: int
    draws: int
    black: int
    rating: int | None
    date: str
    opening: str


class ExploredMove(Tally):
    """A move that was played."""

    san: str
    uci: str


class PastGame(TypedDict):
    """A game: its row in `Explorer.games`, what its tags say, its file and number there.

    What is not known is "", and a rating 0.
    """

    game: int
    white: str
    black: str
    event: str
    ratings: list[int]
    result: str
    date: str
    file: str
    number: int


class Explored(Tally):
    """What was played in a position, the move of most games first, and the games of the best rated players."""

    moves: list[ExploredMove]
    games: list[PastGame]


@click.command()
@click.argument("words", nargs=-1, required=True, metavar="GAMES.pgn... [MOVES]")
@click.option("--fen", default=STARTPOS, help="The position that MOVES begin at. Default: the start position.")
@click.option("--games", "most", type=Whole(0, 1000), default=5, show_default=True, help="Games to list.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explore(words: tuple[str, ...], fen: str, most: int, as_json: bool) -> None:
    """Show what was played in a position.

    MOVES, such as "1. e4 c5", lead to it. The games are those of PGN files, which may be packed (.gz, .bz2, .zst,
    .zip). Their index is kept in the user's cache folder, and made anew when a file has changed.
    """
    from ox88.apps.live import LiveView, print_view, progress_bar
    from ox88.batch.pgn.explorer import Explorer, read_line

    count = next((place for place, word in enumerate(words) if _MOVES.match(word)), len(words))
    board = read_line(" ".join(words[count:]), fen)
    if not count:
        raise click.UsageError('name a PGN file before the moves, such as: ox88 explore games.pgn "1. e4 c5"')
    done = [0.0]
    with LiveView(lambda: progress_bar(100, round(100 * done[-1]), "an index of the games is made")):
        explorer = Explorer(words[:count], progress=done.append)
    found = describe(explorer, board, most)
    if as_json:
        click.echo(json.dumps(found))
    elif not found["count"]:
        click.echo(f"No game has this position, of {len(explorer):,}.")
    else:
        for view in _views(found):
            print_view(view)


def describe(explorer: Explorer, board: chess.Board, most: int) -> Explored:
    """What was played in a position. most: the number of games to name."""
    here = explorer[board]
    moves = [ExploredMove(**_tally(move), san=move.san, uci=move.uci) for move in here.moves]
    return {**_tally(here), "moves": moves, "games": _past_games(explorer, here, most)}


def _tally(played: Played) -> Tally:
    return {
        "count": played.count,
        "white": played.white,
        "draws": played.draws,
        "black": played.black,
        "rating": None if played.rating is None else round(played.rating),
        "date": played.date,
        "opening": played.opening,
    }


def _past_games(explorer: Explorer, here: Played, most: int) -> list[PastGame]:
    from ox88.apps.files import name_of

    rows = here.games[:most]
    games = explorer.games[rows]
    tags = games.headers
    ratings = zip(tags.numbers("WhiteElo").tolist(), tags.numbers("BlackElo").tolist(), strict=True)
    columns = (tags["White"], tags["Black"], tags["Event"], ratings, tags["Result"], tags["Date"], games.numbers)
    return [
        {
            "game": int(row),
            "white": white[:_LONGEST_TAG].strip("? "),
            "black": black[:_LONGEST_TAG].strip("? "),
            "event": event[:_LONGEST_TAG].strip("? "),
            "ratings": list(rated),
            "result": result[:_LONGEST_TAG],
            "date": date[:_LONGEST_TAG].partition(".??")[0].strip("?"),
            "file": name_of(Path(explorer.file_of(int(row)).name)),
            "number": int(number) + 1,
        }
        for row, white, black, event, rated, result, date, number in zip(rows, *columns, strict=True)
    ]


def _views(found: Explored) -> list[RenderableType]:
    from rich import box
    from rich.table import Table

    from ox88.apps.streams import label

    moves = Table("Move", box=box.SIMPLE, title_justify="left", title=found["opening"] or None)
    for name in ("Games", "White", "Draw", "Black", "Rating"):
        moves.add_column(name, justify="right")
    moves.add_column("Last")
    moves.add_column("Opening")
    rows: list[tuple[str, Tally]] = [*((move["san"], move) for move in found["moves"]), ("all", found)]
    for name, tally in rows:
        results = (tally["white"], tally["draws"], tally["black"])
        shares = (f"{result / max(1, sum(results)):.0%}" for result in results)
        rating = str(tally["rating"] or "")
        moves.add_row(name, f"{tally['count']:,}", *shares, rating, tally["date"], tally["opening"])
    games = Table("White", "Black", "Result", "Date", "Game", box=box.SIMPLE)
    for game in found["games"]:
        players = zip((game["white"], game["black"]), game["ratings"], strict=True)
        names = [label(f"{name} {rating or ''}".strip()) for name, rating in players]
        shown = names if any(names) else [label(game["event"]), ""]
        games.add_row(*shown, label(game["result"]), label(game["date"]), label(f"{game['file']} {game['number']}"))
    return [moves, games] if found["games"] else [moves]
