"""What a worker does: it searches some positions, each for itself."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

import ox88
from ox88.batch.packed import PACKED

SCORE: Final = np.dtype([("score", "<i2"), ("best", "<u2")])  # As `Positions.search` has them, for White.


class Search(NamedTuple):
    """How far to search each position: one of the two, or what ends first."""

    nodes: int | None
    depth: int | None


@dataclass(frozen=True, slots=True)
class Job:
    """Positions to search, complete with all that a worker needs. key: in the journal. packed: PACKED[n]."""

    key: bytes
    packed: bytes
    search: Search


def try_search(search: Search) -> None:
    """Search nothing: compile what a search needs, and see that its limits are such. Raises Ox88Error."""
    do_job(Job(b"", b"", search))


def do_job(job: Job) -> bytes:
    """Search in one thread, here and now. SCORE[n].

    The engine is made anew, which takes a millisecond, where a hundred positions take fifty or more. So nothing of
    earlier jobs can be in what comes of it.
    """
    positions = ox88.Positions.from_packed(np.frombuffer(job.packed, PACKED), threads=1)
    found = positions.search(nodes=job.search.nodes, depth=job.search.depth, threads=1)
    scores = np.empty(len(positions), SCORE)
    scores["score"], scores["best"] = found.scores, found.moves
    return scores.tobytes()
