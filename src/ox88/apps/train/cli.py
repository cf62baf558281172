"""`ox88 train`: the options of a training session in the terminal."""

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ox88.apps.options import FILE
from ox88.apps.store import STORE, Store, data_folder
from ox88.apps.streams import plural
from ox88.errors import Ox88Error, unreadable

if TYPE_CHECKING:
    from ox88.apps.train.sessions import Trainer, What

NEEDED: Final = ("fsrs", "glicko2")


@click.command()
@click.option("--mistakes", "what", flag_value="mistakes", help="Your own mistakes, those that are due first.")
@click.option("--open", "what", flag_value="open", help="Puzzles of Lichess near your rating.")
@click.option("--theme", metavar="NAME", help="Puzzles of a theme, such as fork.")
@click.option("--rush", "what", flag_value="rush", help="As many as you can in three minutes, with three errors.")
@click.option("--games", type=FILE, metavar="FILE", help="First learn from the games of this PGN file.")
@click.option("--player", metavar="NAME", help="With --games: your name there.")
@click.option("--export", "output", type=FILE, metavar="FILE", help="Write all of your training to a file, and exit.")
@click.option("--import", "source", type=FILE, metavar="FILE", help="Add what such a file has, and exit.")
@click.option("--data", type=FILE, metavar="FOLDER", help="Keep the training in this folder.")
def train(
    what: "What | None",
    theme: str | None,
    games: Path | None,
    player: str | None,
    output: Path | None,
    source: Path | None,
    data: Path | None,
) -> None:
    """Solve puzzles in the terminal.

    Without another option it goes on with the session that you left today; else it asks for your own mistakes, if some
    are due, or for puzzles near your rating. It shares all with the page Train of ox88 serve. Type help at the prompt.
    """
    check_installed("train", NEEDED, "train")
    if (games is None) != (player is None):
        raise click.UsageError("--games and --player belong together: a PGN file, and your name in it")
    if player is not None and not player.strip():
        raise click.UsageError("--player has no name: your name in the games is expected")
    if theme is not None and what:
        raise click.UsageError("--theme is one of several kinds of sessions: leave out the other one")
    from ox88.apps.files import text_written_at_once
    from ox88.apps.screen import make_screen
    from ox88.apps.train.exchange import write_training
    from ox88.apps.train.sessions import Trainer
    from ox88.apps.train.terminal import TerminalTraining

    with Store((data or data_folder()) / STORE) as store:
        trainer = Trainer(store)
        if source:
            _import(trainer, source)
        if output:
            with text_written_at_once(output) as stream:
                stream.write(write_training(trainer.records))
        if output or source:
            return
        if games and player:
            _learn(trainer, games, player)
        screen = make_screen()
        if theme is None and not (what or games) and _goes_on(trainer):
            screen.say("The session that you left goes on.")
        else:
            waits = trainer.due_count() or trainer.records.fresh()
            trainer.begin("theme" if theme is not None else what or ("mistakes" if waits else "open"), theme or "")
        screen.say("Type a move such as e2e4, or type help.")
        TerminalTraining(trainer, screen).run()


def _goes_on(trainer: "Trainer") -> bool:
    """Whether there is a session to go on with, with another puzzle than one that is over."""
    if trainer.goes_on() and trainer.drill is not None and trainer.drill.is_over:
        trainer.advance(trainer.drill.puzzle.id)
    return trainer.goes_on()


def check_installed(command: str, names: tuple[str, ...], extra: str) -> None:
    for name in names:
        if find_spec(name) is None:
            raise Ox88Error(f"{command} needs {name}, which is not installed: pip install 'ox88[{extra}]'")


def _import(trainer: "Trainer", source: Path) -> None:
    from ox88.apps.train.exchange import LONGEST_FILE, read_training

    try:
        with source.open("rb") as file:
            text = file.read(LONGEST_FILE)
    except OSError as error:
        raise unreadable(str(source), error, "cannot be read") from None
    try:
        cards, answers = read_training(text, trainer.records)
    except Ox88Error as error:
        raise Ox88Error(f"{source}: {error}") from None
    click.echo(f"{source}: {plural(cards, 'new puzzle')} and {plural(answers, 'new answer')}.")


def _learn(trainer: "Trainer", path: Path, player: str) -> None:
    """Make puzzles of a person's mistakes in the games of a file. What is found is kept at once."""
    from ox88.apps.options import make_ready_engine
    from ox88.apps.puzzles.games import own_games
    from ox88.apps.puzzles.making import mistakes_of
    from ox88.engines.placed import PlacedEngine
    from ox88.engines.registry import MODERN

    games, wrong = own_games(path, player)
    if wrong:
        click.echo(f"{path}: {wrong}", err=True)
    engine = PlacedEngine(make_ready_engine(MODERN, {}))
    for number, game in enumerate(games, 1):
        keys = trainer.keep(mistakes_of(engine, game))
        click.echo(f"Game {number} of {len(games)}, {game.source}: {plural(len(keys), 'mistake')}.")
