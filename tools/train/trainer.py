"""Training a network: epochs of batches in random order. All that it has learnt fits in a checkpoint.

The engine computes with whole numbers. So losses and gradients are those of the rounded parameters, while small changes
add up in the parameters themselves. Thus the network learns to make up for the rounding.

Each batch is cut into the same shards on every machine, and each shard has a gradient of its own. So the number of
threads does not matter, and a run that was stopped ends with the same bits as one that was not.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ox88.batch.rows.chunks import in_chunks
from ox88.engines.modern.network.file import Network
from tools.train.adamw import learning_rate, round_parameters, state_type, take_step
from tools.train.data import Data, Rows
from tools.train.gradient import AIMS, add_gradients, scratch_type, sum_losses
from tools.train.imitation import imitate, make_imitation
from tools.train.parameters import INPUT_SECTIONS, as_floats, initial_parameters, parameters_type, sections

SHARDS: Final = 8
_MASK: Final = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Plan:
    """How to train. results: the share of the games' results in the targets. power: of the errors in the loss.

    td_lambda: the share of the rest of the game in each score, as `look_ahead` blends them.
    imitate: 0, or the most random moves between a position and the one whose evaluation is learnt.
    only_outputs: keep the neurons as they are, and train the output weights and biases alone.
    """

    hidden: int
    epochs: int
    batch: int
    learning_rate: float
    results: float
    td_lambda: float
    power: float
    imitate: int
    only_outputs: bool
    seed: int


class Trainer:
    """A network in training.

    steps_an_epoch, steps: how many batches an epoch has, and the whole training. losses: float64[epochs, 2], the mean
    loss of each epoch while it was trained, and on the positions held out at its end; NaN for what is still to come.
    parameters: the record of the network, rounded to the numbers that its whole numbers stand for.
    """

    def __init__(
        self, plan: Plan, data: Data, threads: int, parameters: Any = None, teacher: Network | None = None
    ) -> None:
        """parameters: the record to begin with; random ones by default. teacher: for imitation, as `imitate` has it."""
        self.plan = plan
        self.data = data
        self._threads = threads
        self.steps_an_epoch = -(-len(data.fitted) // plan.batch)
        self.steps = self.steps_an_epoch * plan.epochs
        self.losses = np.tile([0, math.nan], (plan.epochs, 1))
        kind = parameters_type(plan.hidden)
        self._gradients = np.zeros(SHARDS, kind).view(np.recarray)
        self._flat_gradients = as_floats(self._gradients).reshape(SHARDS, -1)
        self._states = np.zeros(1, state_type(self._flat_gradients.shape[1])).view(np.recarray)
        self._state = self._states[0]
        begin = initial_parameters(plan.hidden, plan.seed) if parameters is None else parameters
        self._state.parameters[:] = as_floats(begin)
        self._sections = sections(plan.hidden)
        # Gradients are computed for all sections. Those of the neurons are not used where the neurons stay as they are.
        self._trained = self._sections[INPUT_SECTIONS:] if plan.only_outputs else self._sections
        self._rounded = np.zeros_like(self._state.parameters)
        self.parameters = self._rounded.view(kind).view(np.recarray)[0]
        self._round()
        self._scratch = np.zeros(SHARDS, scratch_type(plan.hidden)).view(np.recarray)
        self._imitations = [make_imitation(teacher) for _ in range(SHARDS)] if plan.imitate else []
        self._aims = np.array([(data.scale, plan.results, plan.power)], AIMS).view(np.recarray)[0]

    @property
    def step(self) -> int:
        """How many batches it has learnt from."""
        return int(self._state.step)

    @property
    def epoch(self) -> int:
        """The present epoch, from 1 on."""
        return max(-(-self.step // self.steps_an_epoch), 1)

    @property
    def positions(self) -> int:
        """How many positions it has learnt from."""
        epochs, batches = divmod(self.step, self.steps_an_epoch)
        return epochs * len(self.data.fitted) + batches * self.plan.batch

    @property
    def all_positions(self) -> int:
        """From how many positions it learns in all epochs."""
        return self.plan.epochs * len(self.data.fitted)

    def last_losses(self) -> dict[str, float]:
        """The mean loss of the present epoch so far, and that of the last validation, as far as there are some."""
        found = {}
        if learnt := self.positions - (self.epoch - 1) * len(self.data.fitted):
            found["loss"] = float(self.losses[self.epoch - 1, 0]) * len(self.data.fitted) / learnt
        validated = self.losses[~np.isnan(self.losses[:, 1]), 1]
        if len(validated):
            found["held out"] = float(validated[-1])
        return found

    def train(self) -> Iterator[bool]:
        """Learn from one batch after another. Yields False after each, and True after an epoch and its validation."""
        order: Rows = np.zeros(0, np.uint32)
        while True:
            epoch, batch = divmod(self.step, self.steps_an_epoch)
            if batch == 0 and epoch and math.isnan(self.losses[epoch - 1, 1]):
                self.losses[epoch - 1, 1] = self._validate()
                yield True
            if epoch == self.plan.epochs:
                return
            if batch == 0 or not len(order):
                order = np.random.default_rng([self.plan.seed, epoch]).permutation(self.data.fitted)
            self._learn(epoch, order[batch * self.plan.batch : (batch + 1) * self.plan.batch])
            yield False

    def _learn(self, epoch: int, rows: Rows) -> None:
        """Take one step."""

        def add(shard: int, some: Rows) -> float:
            records = self.data.records
            if self.plan.imitate:
                seed = (self.plan.seed * self.steps + self.step) * SHARDS + shard
                imitated = imitate(records, some, self.plan.imitate, seed << 32 & _MASK, self._imitations[shard])
                records, some = imitated.view(np.recarray), np.arange(len(some), dtype=np.uint32)
            scratch, gradient = self._scratch[shard], self._gradients[shard]
            return float(add_gradients(records, some, self.parameters, scratch, self._aims, gradient))

        loss = self._sum(add, rows)
        rate = learning_rate(self.step, self.steps, self.plan.learning_rate)
        losses, loss = self.losses[epoch], loss / len(self.data.fitted)
        take_step(self._state, self._trained, self._flat_gradients, 1 / len(rows), rate, losses, loss)
        self._round()

    def _round(self) -> None:
        round_parameters(self._state, self._sections, self._rounded)

    def _validate(self) -> float:
        """The mean loss of the positions held out."""

        def add(shard: int, some: Rows) -> float:
            return float(sum_losses(self.data.records, some, self.parameters, self._scratch[shard], self._aims))

        return self._sum(add, self.data.held_out) / len(self.data.held_out)

    def _sum(self, work: Callable[[int, Rows], float], rows: Rows) -> float:
        """Let threads work on the shards of some rows."""
        found = np.zeros(SHARDS)
        edges = np.linspace(0, len(rows), SHARDS + 1).astype(int)

        def run(shards: slice) -> None:
            for shard in range(shards.start, shards.stop):
                found[shard] = work(shard, rows[edges[shard] : edges[shard + 1]])

        in_chunks(run, SHARDS, self._threads, size=1)
        return float(np.sum(found))

    def empty_unused_inputs(self) -> None:
        """Set random weights to 0 if no position has switched on their input, such as a pawn on the first rank."""
        moments = self._state.second_moments.view(self._gradients.dtype).view(np.recarray)[0]
        self.parameters.input_weights[~np.any(moments.input_weights, axis=1)] = 0

    def checkpoint(self) -> bytes:
        """All that it has learnt."""
        return self._states.tobytes() + self.losses.tobytes()

    def restore(self, checkpoint: bytes) -> None:
        """Go on from a checkpoint."""
        size = self._states.nbytes
        self._states[:] = np.frombuffer(checkpoint[:size], self._states.dtype)
        self.losses[:] = np.frombuffer(checkpoint[size:]).reshape(self.losses.shape)
        self._round()
