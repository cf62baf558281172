"""`ox88 games`: its options."""

from pathlib import Path

import click

from ox88.apps.options import FILE


@click.command()
@click.argument("files", nargs=-1, required=True, type=FILE, metavar="GAMES.pgn...")
@click.option(
    "-o",
    "--output",
    type=FILE,
    default="-",
    metavar="FILE",
    help="Write the games to this file, packed if its name ends in .gz, .bz2 or .zst. Default: standard output.",
)
@click.option(
    "--where",
    metavar="SQL",
    help="Keep games for which this expression of SQLite is true. Its names are those of tags, plies (the number of"
    " moves) and error (1 or 0). Opening and ECO are found by the moves where a game has no such tag.",
)
@click.option("--position", "positions", multiple=True, metavar="FEN", help="Keep games that reach this position.")
@click.option(
    "--material",
    multiple=True,
    metavar="PIECES",
    help="Keep games that reach this material, such as KRPKR, whoever has it.",
)
@click.option("--unique", is_flag=True, help="Keep the first of games with the same moves from the same position.")
@click.option("--no-errors", is_flag=True, help="Leave out games with errors.")
def games(
    files: tuple[Path, ...],
    output: Path,
    where: str | None,
    positions: tuple[str, ...],
    material: tuple[str, ...],
    unique: bool,
    no_errors: bool,
) -> None:
    """Choose games of PGN files, and write them unchanged.

    Each game is written byte for byte as its file has it, with its comments, variations and NAGs, and a blank line
    after it. Files may be packed (.gz, .bz2, .zst, .zip) and larger than memory; a folder stands for its PGN files, and
    - for standard input. Several options --position, or --material, keep games that fulfil any of them.

    Such as: --where "WhiteElo > 2600 and Opening like 'Sicilian%'" --unique
    """
    from ox88.apps.games.command import Choice, write_chosen

    choice = Choice(where, positions, material, unique, no_errors)
    raise click.exceptions.Exit(write_chosen(files, output, choice))
