"""AdamW: each parameter has a step size of its own, from the moments of its gradient; parameters also decay.

Ilya Loshchilov and Frank Hutter, "Decoupled Weight Decay Regularization", https://arxiv.org/abs/1711.05101.
"""

import math
from typing import Any, Final

import numpy as np

from ox88.jit import kernel

FIRST_DECAY = np.float32(0.9)  # Of the mean gradient, a step, ...
SECOND_DECAY = np.float32(0.999)  # ... and of the mean squared gradient.
WEIGHT_DECAY = np.float32(0.01)
LEAST_ROOT = np.float32(1e-8)  # It keeps the division finite.
ONE = np.float32(1)

WARM_UP: Final = 0.02  # Of all steps.

# Neighbouring parameters: by how much each of them may differ from 0, and by how much 1 is multiplied in whole numbers.
SECTION = np.dtype([("first", np.int64), ("last", np.int64), ("limit", np.float32), ("unit", np.float32)], align=True)


def state_type(count: int) -> Any:
    """The record of so many parameters, the moments of their gradient, and the number of steps taken."""
    names = ("parameters", "first_moments", "second_moments")
    return np.dtype([("step", np.int64), *((name, np.float32, count) for name in names)], align=True)


def learning_rate(step: int, steps: int, highest: float) -> float:
    """Of a step, from 0 on: it rises quickly from 0, and falls to 0 as a cosine does."""
    warm = max(round(WARM_UP * steps), 1)
    if step < warm:
        return highest * (step + 1) / warm
    return highest * 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))


@kernel
def take_step(state, sections, gradients, share, rate, losses, loss):
    """Move the parameters of some sections, empty their gradients, and add to a loss.

    This is done all at once, so that Ctrl-C cannot part them.
    gradients: float32[shards, n], to be summed and multiplied by `share`. rate: the learning rate.
    losses: float64[1], to which `loss` is added.
    """
    total = gradients[0]
    for shard in range(1, len(gradients)):
        add_and_empty(total, gradients[shard])
    state.step += 1
    steps = np.float64(state.step)
    first_scale = np.float32(1 / (1 - math.pow(np.float64(FIRST_DECAY), steps)))
    second_scale = np.float32(1 / (1 - math.pow(np.float64(SECOND_DECAY), steps)))
    for section in range(len(sections)):
        move(state, sections[section], total, np.float32(share), np.float32(rate), first_scale, second_scale)
    losses[0] += loss


@kernel
def add_and_empty(total, other):
    for i in range(len(total)):
        total[i] += other[i]
        other[i] = np.float32(0)


@kernel
def move(state, section, total, share, rate, first_scale, second_scale):
    """Move a section of the parameters. first_scale, second_scale: of moments that began at 0."""
    limit = section.limit
    for i in range(section.first, section.last):
        slope = np.float32(total[i] * share)
        total[i] = np.float32(0)
        first = np.float32(FIRST_DECAY * state.first_moments[i] + np.float32(ONE - FIRST_DECAY) * slope)
        second = np.float32(
            SECOND_DECAY * state.second_moments[i] + np.float32(ONE - SECOND_DECAY) * np.float32(slope * slope)
        )
        state.first_moments[i] = first
        state.second_moments[i] = second
        root = np.float32(math.sqrt(np.float32(second * second_scale)))
        change = np.float32(np.float32(first * first_scale) / np.float32(root + LEAST_ROOT))
        parameter = state.parameters[i]
        parameter = np.float32(parameter - np.float32(rate * np.float32(change + WEIGHT_DECAY * parameter)))
        state.parameters[i] = min(max(parameter, np.float32(-limit)), limit)


@kernel
def round_parameters(state, sections, rounded):
    """Write the parameters to float32[n] as they will be in whole numbers."""
    for section in range(len(sections)):
        unit = sections[section].unit
        for i in range(sections[section].first, sections[section].last):
            rounded[i] = np.float32(np.rint(np.float32(state.parameters[i] * unit)) / unit)
