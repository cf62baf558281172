"""Train a network with positions from tools.datagen; see docs/network.md."""

import dataclasses
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import click
import numpy as np
from numpy.typing import NDArray
from rich.console import Group, RenderableType
from rich.table import Table

from ox88.apps.files import beside, check_writable, explained
from ox88.apps.journal import ENDING, Journal
from ox88.apps.live import LiveView, print_view, progress_bar
from ox88.cores import cores
from ox88.engines.modern.network.file import Network, read_network, write_network
from ox88.engines.modern.network.records import HIDDEN
from ox88.errors import Ox88Error
from ox88.threads import noting_interrupts
from tools.command import Command
from tools.figures import make_figure
from tools.train.centipawns import centipawns_of
from tools.train.checkpoints import Checkpoints
from tools.train.data import read_data
from tools.train.drawing import draw_losses
from tools.train.imitation import MOST_PLIES
from tools.train.parameters import LANES, parameters_of, quantised, widened
from tools.train.td_lambda import look_ahead
from tools.train.trainer import Plan, Trainer

CHECKPOINT_SECONDS: Final = 120
_PATH: Final = click.Path(path_type=Path)


@click.command(cls=Command)
@click.argument("paths", metavar="FOLDER...", nargs=-1, required=True, type=_PATH)
@click.option("-o", "--output", required=True, type=_PATH, help="The network's file, .npz.")
@click.option("--hidden", type=click.IntRange(LANES, 4096), default=HIDDEN, show_default=True, help="Neurons a side.")
@click.option("--epochs", type=click.IntRange(1), default=20, show_default=True)
@click.option("--batch", type=click.IntRange(1), default=16384, show_default=True, help="Positions a step.")
@click.option("--learning-rate", type=click.FloatRange(0, 1, min_open=True), default=0.001, show_default=True)
@click.option(
    "--results",
    type=click.FloatRange(0, 1),
    default=0.0,
    show_default=True,
    help="Share of the game results in the targets; the rest is the search scores.",
)
@click.option(
    "--td-lambda",
    type=click.FloatRange(0, 1),
    default=0.8,
    show_default=True,
    help="Share of the rest of the game in each score, by TD(λ): 0 is the score of the position's own search.",
)
@click.option("--power", type=click.FloatRange(1, 4), default=2.0, show_default=True, help="Of the errors in the loss.")
@click.option(
    "--imitate",
    type=click.IntRange(0, MOST_PLIES),
    default=0,
    show_default=True,
    help="Learn the handcrafted evaluation of positions up to so many random moves away, not the positions' scores; "
    "with --start the mean of it and that network.",
)
@click.option("--only-outputs", is_flag=True, help="Keep the neurons of --start, and train the output weights alone.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True)
@click.option(
    "--start", type=_PATH, help="Begin with this network, not with random weights. It may have fewer neurons a side."
)
@click.option("--name", help="Of the network. Default: as the file.")
@click.option("--concurrency", type=click.IntRange(1), default=cores(), show_default="all cores")
@click.option("--plot", type=_PATH, help="Draw the losses into a picture (.svg, .png).")
def main(
    paths: Sequence[Path],
    output: Path,
    start: Path | None,
    name: str | None,
    concurrency: int,
    plot: Path | None,
    **options: Any,
) -> None:
    """Train a network on the positions of some folders.

    While it is trained, OUTPUT.journal keeps what it has learnt; the same command resumes a run that was stopped.
    """
    plan = Plan(**options)
    if plan.hidden % LANES:
        raise click.UsageError(f"--hidden {plan.hidden}: a multiple of {LANES} is expected")
    if plan.only_outputs and start is None:
        raise click.UsageError("--only-outputs: there are no neurons to keep; name a network with --start")
    check_writable(output)
    if plot is not None:
        make_figure()
        check_writable(plot)
    words = ["python -m tools.train", *(path.name for path in paths), "-o", output.name, *_words(plan)]
    about: dict[str, Any] = {"name": name or output.stem}
    parameters = network = None
    if start is not None:
        network = _read_start(start, plan.hidden)
        parameters = widened(parameters_of(network), plan.hidden, plan.seed)
        about["start"] = network.about
        words.append(f"--start {start.name}")
    about["command"] = " ".join(words)
    try:
        data = read_data(paths)
        look_ahead(data, plan.td_lambda)
        losses = _run(Trainer(plan, data, concurrency, parameters, network), output, about, network)
    except KeyboardInterrupt:
        click.echo("stopped; the same command resumes the training", err=True)
        sys.exit(130)
    if plot is not None:
        draw_losses(losses, plot)


def _read_start(path: Path, hidden: int) -> Network:
    """Raises Ox88Error if a training cannot begin with this network."""
    network = read_network(path)
    if network.hidden > hidden:
        raise Ox88Error(f"{path} has {network.hidden} neurons a side, but --hidden is {hidden}: give as many, or more")
    return network


def _words(plan: Plan) -> list[str]:
    """The options of a plan, as the command takes them."""
    words = []
    for name, value in dataclasses.asdict(plan).items():
        option = f"--{name.replace('_', '-')}"
        if not isinstance(value, bool):
            words += [option, str(value)]
        elif value:
            words.append(option)
    return words


def _run(trainer: Trainer, output: Path, about: dict[str, Any], start: Network | None) -> NDArray[np.float64]:
    """Train, and write the network. Returns the losses of the epochs. Raises Ox88Error."""
    data = trainer.data
    settings = {**dataclasses.asdict(trainer.plan), **data.about, "start": about.get("start")}
    with Journal(beside(output, ENDING), settings) as journal:
        _train(trainer, Checkpoints(journal))
        if start is None:
            trainer.empty_unused_inputs()
        about = {**about, **data.about, "losses": trainer.losses.tolist()}
        scale = centipawns_of(trainer.parameters, data, start)
        with explained(output):
            write_network(output, quantised(trainer.parameters, scale, about))
        journal.remove()
    return trainer.losses


def _train(trainer: Trainer, checkpoints: Checkpoints) -> None:
    """Train from the last checkpoint to the end, and tell of each epoch."""
    if checkpoints.latest is not None:
        trainer.restore(checkpoints.latest)
    progress = Progress(trainer)
    view = LiveView(progress.view)
    try:
        with view, noting_interrupts() as interrupts:
            for is_epoch_over in trainer.train():
                if is_epoch_over and not view.is_shown:
                    click.echo(str(progress), err=True)
                if is_epoch_over or checkpoints.age > CHECKPOINT_SECONDS:
                    checkpoints.save(trainer.checkpoint())
                if interrupts:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        checkpoints.save(trainer.checkpoint())
        click.echo(str(progress), err=True)
        raise
    print_view(progress.table())


class Progress:
    """Of a training: the epoch, speed and losses."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer
        self._positions = trainer.positions
        self._started = time.monotonic()

    def view(self) -> RenderableType:
        """A line on the present epoch, over the table."""
        trainer = self._trainer
        left = (trainer.all_positions - trainer.positions) / speed if (speed := self._speed()) else None
        return Group(progress_bar(trainer.all_positions, trainer.positions, str(self), left), self.table())

    def table(self) -> Table:
        """The losses of the epochs that are over, the last first."""
        data = self._trainer.data
        table = Table(title=f"{len(data.fitted):,} positions, {len(data.held_out):,} held out", title_justify="left")
        for name in ("epoch", "loss", "held out"):
            table.add_column(name, justify="right")
        rows = [(str(epoch), *row) for epoch, row in enumerate(self._trainer.losses, 1) if not np.isnan(row[1])]
        for epoch, *losses in reversed(rows):
            table.add_row(epoch, *(f"{loss:.6f}" for loss in losses))
        return table

    def _speed(self) -> float:
        """Positions a second."""
        return (self._trainer.positions - self._positions) / max(time.monotonic() - self._started, 1e-9)

    def __str__(self) -> str:
        trainer, losses = self._trainer, self._trainer.last_losses()
        found = [f"{name} {loss:.6f}" for name, loss in losses.items()]
        return ", ".join(
            [f"epoch {trainer.epoch} of {trainer.plan.epochs}", *found, f"{self._speed():,.0f} positions/s"]
        )


if __name__ == "__main__":
    main()
