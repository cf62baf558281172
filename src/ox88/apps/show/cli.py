"""`ox88 show`: its options."""

import click

# Each view and its line of help.
VIEWS = {
    "board": "the pieces",
    "0x88": "the 0x88 board with its unused half, and the piece list",
    "difference": "the difference table, as seen from --square",
    "attacks": "rays and attacks of the piece on --square; by default of the king of the side to move",
    "bitboard": "the bitboards of the position, or --bits",
    "rotated": "the rotated boards, with the lines through --square",
    "micromax": "micro-Max's board",
    "steps": "micro-Max's lists of steps",
}
_HELP = "\n".join(
    [
        "Show how the boards represent a position.\n",
        "FEN is a position, by default startpos. Views:\n",
        "\b",
        *(f"{name:11} {line}" for name, line in VIEWS.items()),
    ]
)


@click.command(help=_HELP)
@click.argument("fen", nargs=-1)
@click.option("--view", type=click.Choice(list(VIEWS)), help="What to show. Default: the board; with --bits bitboard.")
@click.option("--square", help="The square that difference, attacks and rotated look from, such as e4.")
@click.option("--bits", help="A bitboard, or some with the operators & | ^ ~, such as 'white & rooks_queens'.")
@click.option("--svg", metavar="FILE", help="Write the picture to a file as SVG; - is standard output.")
def show(fen: tuple[str, ...], view: str | None, square: str | None, bits: str | None, svg: str | None) -> None:
    from ox88.apps.show.command import show as show_picture

    show_picture(" ".join(fen), view, square, bits, svg)
