"""Pack the names of openings: `python -m tools.opening_names FOLDER` with the files a.tsv to e.tsv of a checkout of
https://github.com/lichess-org/chess-openings (CC0).
"""

import gzip
from pathlib import Path

import click

from ox88.batch.pgn.openings import FILE

_HEADER = "eco\tname\tpgn"


def packed(folder: Path) -> bytes:
    """All lines of the files in their order, without the headers. The same files give the same bytes."""
    lines: list[str] = []
    for name in "abcde":
        header, *rest = (folder / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
        if header != _HEADER:
            raise click.ClickException(f"{name}.tsv begins with {header!r}: {_HEADER!r} is expected")
        lines += rest
    return gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0)


@click.command()
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
def main(folder: Path) -> None:
    """Write the names of openings that are in FOLDER into the package."""
    FILE.write_bytes(packed(folder))


if __name__ == "__main__":
    main()
