"""Writes games as PGN, some thousand moves at a time: tags in Python, movetext by kernels."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ox88.batch.chunks import count_threads, in_order
from ox88.batch.fen_writer import piece_letters
from ox88.batch.pgn.arrays import GameArrays
from ox88.batch.pgn.movetext_writer import BYTES_A_GAME, BYTES_A_MOVE, GAME_TO_WRITE, WRITER, write_movetexts
from ox88.batch.pgn.quoting import format_tag
from ox88.batch.pgn.records import ANNOTATIONS
from ox88.batch.pgn.result_words import RESULT_WORDS
from ox88.batch.san import LONGEST_SAN
from ox88.bitboard.position import to_setup
from ox88.bitboard.records import make_record
from ox88.bitboard.tables import board_tables
from ox88.setup import format_fen

# The tags that every PGN has, with their values for "unknown".
SEVEN_TAGS: Final = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
_START_TAGS: Final = ("FEN", "SetUp")  # Made from the first position, not copied.
_PLIES_AT_ONCE: Final = 1 << 14


def write_games(games: GameArrays, threads: int | None) -> Iterator[str]:
    def write(rows: NDArray[np.int64]) -> str:
        some = games.take(rows)
        return "".join(f"{tags}\n{text}\n" for tags, text in zip(_tags_of(some), _movetexts(some), strict=True))

    return in_order(write, _runs(games.offsets), count_threads(threads))


def _runs(offsets: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Rows of consecutive games, which have at most _PLIES_AT_ONCE moves together; or of one longer game."""
    begin = 0
    while begin < len(offsets) - 1:
        end = max(begin + 1, int(np.searchsorted(offsets, offsets[begin] + _PLIES_AT_ONCE, "right")) - 1)
        end = min(end, begin + _PLIES_AT_ONCE)  # Games without moves need memory, too.
        yield np.arange(begin, end)
        begin = end


def _movetexts(games: GameArrays) -> Iterator[str]:
    written = np.zeros(len(games.games), GAME_TO_WRITE).view(np.recarray)
    written.first, written.last = games.offsets[:-1], games.offsets[1:]
    written.setup, written.result = games.games["setup"], games.games["result"]
    text = np.empty(len(games.moves) * BYTES_A_MOVE + len(written) * BYTES_A_GAME, np.uint8)
    write_movetexts(
        written,
        games.moves,
        *(games.annotation(name) for name in ANNOTATIONS),
        games.setups.view(np.recarray),
        board_tables(),
        piece_letters(),
        make_record(WRITER),
        np.empty(LONGEST_SAN, np.uint8),
        text,
    )
    ends = written.text_end.tolist()
    whole = text[: ends[-1]].tobytes().decode("ascii")
    return (whole[begin:end] for begin, end in pairwise([0, *ends]))


def _tags_of(games: GameArrays) -> Iterator[str]:
    """The tags of each game as text: the seven of every PGN, those that were read, those of its first position."""
    columns = {name: column for name, column in games.columns.items() if name not in _START_TAGS}
    texts = {name: column.texts() for name, column in columns.items()}
    for row, game in enumerate(games.games):
        kept = {name: text[row] for name, text in texts.items() if columns[name].present[row]}
        result = RESULT_WORDS[game["result"]]
        start = _start_tags(games, int(game["setup"]), kept)
        tags = {**SEVEN_TAGS, "Result": result, **kept, **start}
        yield "".join(f"{format_tag(name, text)}\n" for name, text in tags.items())


def _start_tags(games: GameArrays, setup_row: int, kept: dict[str, str]) -> dict[str, str]:
    """The tags FEN and SetUp, made from the first position, so that an illegal FEN is not written again."""
    if setup_row == 0:
        return {}
    setup = to_setup(games.setups.view(np.recarray)[setup_row])
    variant = {"Variant": "Chess960"} if setup.is_chess960() and not kept.get("Variant") else {}
    return {**variant, "FEN": format_fen(setup), "SetUp": "1"}
