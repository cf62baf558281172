"""The run of `ox88 analyse`: games are read, analysed by workers, kept in a journal, and written at the end."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import click
from rich.table import Table
from rich.text import Text

from ox88.apps.analyse.opening_names import OpeningNames
from ox88.apps.analyse.outputs import Writer, game_json, game_text, parquet_writer, text_writer
from ox88.apps.analyse.page_output import MAX_GAMES, page_writer
from ox88.apps.analyse.records import AnalysedGame, PlayerRecord, fens_of, unpack
from ox88.apps.analyse.run import (
    AnalysisProgress,
    GameFiles,
    check_rereadable,
    do_games,
    opened_journal,
    results,
)
from ox88.apps.analyse.worker import AnalysisSettings, do_job
from ox88.apps.files import STANDARD_OUTPUT, beside, check_distinct, check_writable, explained, is_special
from ox88.apps.jobs import make_workers
from ox88.apps.journal import ENDING
from ox88.apps.live import Progress, print_view, results_table
from ox88.apps.streams import Reports, label, lenient, plural
from ox88.batch.pgn.game_text import GameText
from ox88.batch.positions.arrow import import_pyarrow
from ox88.errors import Ox88Error

MAX_PLAYERS: Final = 20  # With more players, only the sums of all games are printed.


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write, at least one; a text may go to standard output."""

    pgn: Path | None = None
    json: Path | None = None
    parquet: Path | None = None
    html: Path | None = None

    @property
    def paths(self) -> list[Path]:
        return [path for path in (self.pgn, self.json, self.parquet, self.html) if path is not None]

    @property
    def journal(self) -> Path:
        """The journal is kept beside the first file. A pipe or a device has no place beside it."""
        files = [path for path in self.paths if path != STANDARD_OUTPUT and not is_special(path)]
        return beside(files[0] if files else Path("analysis"), ENDING)

    def writers(self, subtitle: str) -> Iterator[tuple[Path, Writer]]:
        """Each file with its writer. subtitle: of the HTML page."""
        if self.pgn is not None:
            yield self.pgn, text_writer(self.pgn, lambda game: game_text(game) + "\n")
        if self.json is not None:
            yield self.json, text_writer(self.json, game_json)
        if self.parquet is not None:
            yield self.parquet, parquet_writer(self.parquet)
        if self.html is not None:
            yield self.html, page_writer(self.html, subtitle)


def analyse_files(
    paths: Sequence[Path], settings: AnalysisSettings, outputs: Outputs, worker_count: int, scheduler: str | None
) -> int:
    """Analyse the games of some files, and write all outputs when the last game is done.

    Finished games are kept in a journal beside the output. If the run ends early, the same command resumes from it.
    Returns the exit code: 1 if something could not be read or analysed, else 0. Raises Ox88Error, KeyboardInterrupt.
    """
    paths = list(dict.fromkeys(paths))  # A file that is named twice is read once.
    check_rereadable(paths)
    if outputs.parquet == STANDARD_OUTPUT:
        raise Ox88Error("--parquet writes no table to standard output: name a file")
    check_distinct(paths, outputs.paths, [outputs.journal])
    for path in outputs.paths:
        check_writable(path)
    if outputs.parquet is not None:
        import_pyarrow("--parquet")
    with make_workers(worker_count, scheduler) as workers:
        games = GameFiles(paths)
        count, size, is_damaged = games.survey()
        if outputs.html is not None and count > MAX_GAMES:
            raise Ox88Error(f"--html takes at most {MAX_GAMES} games, and there are {count}: leave it out")
        names = OpeningNames.load()
        with opened_journal(outputs.journal, settings) as journal:
            progress = AnalysisProgress(Progress(count), Progress(size))
            do_games(workers, games, settings, journal, progress, do_job, lambda result: len(fens_of(unpack(result))))
            found = results(games, settings, journal)
            totals = _write(outputs, found, names, f"{plural(count, 'game')}, {settings}")
            journal.remove()
    _print(totals, outputs)
    return 1 if totals.with_errors or is_damaged else 0


@dataclass(slots=True)
class PlayerTotals:
    games: int = 0
    accuracy: float = 0.0
    centipawn_loss: int = 0
    inaccuracies: int = 0
    mistakes: int = 0
    blunders: int = 0

    def add(self, record: PlayerRecord) -> None:
        self.games += 1
        self.accuracy += record["accuracy"] or 0.0
        self.centipawn_loss += record["acpl"] or 0
        self.inaccuracies += record["inaccuracies"]
        self.mistakes += record["mistakes"]
        self.blunders += record["blunders"]


@dataclass(slots=True)
class Totals:
    """with_errors: games with errors in their text. players: by name, in the order of the games."""

    games: int = 0
    moves: int = 0
    with_errors: int = 0
    all_players: PlayerTotals = field(default_factory=PlayerTotals)
    players: dict[str, PlayerTotals] = field(default_factory=dict)

    def add(self, game: AnalysedGame) -> None:
        record = game.record
        self.games += 1
        self.moves += len(record["moves"])
        self.with_errors += bool(record["errors"])
        for color, player in (("White", record["white"]), ("Black", record["black"])):
            if player is not None and player["accuracy"] is not None:
                name = label(game.tags.get(color, "?"))
                self.all_players.add(player)
                if name != "?" and (name in self.players or len(self.players) <= MAX_PLAYERS):
                    self.players.setdefault(name, PlayerTotals()).add(player)


def _write(
    outputs: Outputs, results: Iterable[tuple[str, GameText, bytes]], names: OpeningNames, subtitle: str
) -> Totals:
    """Write all outputs, and report the errors in the games on stderr."""
    totals, report = Totals(), Reports()
    with contextlib.ExitStack() as files:
        writers = [(path, files.enter_context(writer)) for path, writer in outputs.writers(subtitle)]
        for number, (file, text, result) in enumerate(results, 1):
            record = unpack(result)
            game = AnalysedGame(number, file, text.line, record, names.of_game(fens_of(record)))
            totals.add(game)
            for error in game.errors:
                report(error)
            for path, write in writers:
                with explained(path):
                    write(game)
    report.close()
    return totals


def _print(totals: Totals, outputs: Outputs) -> None:
    """Print the totals, and a table of the players if they are few; on stderr if standard output has a text."""
    to_stderr = STANDARD_OUTPUT in outputs.paths
    if 0 < len(totals.players) <= MAX_PLAYERS:
        print_view(players_table(totals), to_stderr)
    files = ", ".join(str(path) for path in outputs.paths)
    sums = totals.all_players
    counts = f"inaccuracies: {sums.inaccuracies}, mistakes: {sums.mistakes}, blunders: {sums.blunders}"
    errors = f"; {plural(totals.with_errors, 'game')} with errors" if totals.with_errors else ""
    stream = lenient(sys.stderr if to_stderr else sys.stdout)
    click.echo(
        f"{files}: {plural(totals.games, 'game')}, {plural(totals.moves, 'move')}; {counts}{errors}", file=stream
    )


def players_table(totals: Totals) -> Table:
    """A row for each player."""
    table = results_table("player", "games", "accuracy %", "avg. loss", "?!", "?", "??")
    for name, player in totals.players.items():
        accuracy, loss = f"{player.accuracy / player.games:.1f}", f"{player.centipawn_loss / player.games:.0f}"
        errors = (str(player.inaccuracies), str(player.mistakes), str(player.blunders))
        table.add_row(Text(name), str(player.games), accuracy, loss, *errors)
    return table
