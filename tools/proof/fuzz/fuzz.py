"""Any input: it is read or refused, within seconds, and what is read is what python-chess reads."""

import logging
import traceback
from random import Random
from typing import Any, ClassVar, Final

from ox88.apps.warmup import warm_up
from tools.proof.campaign import Campaign, FailureError, Tally
from tools.proof.fuzz import commands, dialogues, files, pgn, reading, served
from tools.proof.fuzz.inputs import Kind

KINDS: Final = (
    *reading.KINDS,
    *pgn.KINDS,
    *files.KINDS,
    *dialogues.KINDS,
    *served.KINDS,
    *commands.KINDS,
)
_KIND_OF: Final = [kind for kind in KINDS for _ in range(kind.share)]  # A thousand.
_STEP: Final = 617  # It has no factor in common with a thousand, so each kind comes as often as its share says.
_SHOWN: Final = 30_000  # Characters of an input.


class Fuzz(Campaign):
    """A case is an input of a kind that its number chooses: a good one, changed in some places."""

    goal: ClassVar = 1_000_000
    block: ClassVar = 5_000
    watched: ClassVar = True

    def __init__(self) -> None:
        """Compile and load everything, which no case may take the time for."""
        warm_up()
        logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # It tells of every broken game.

    def run(self, case: int, seed: int, tally: Tally) -> None:
        kind, made = input_of(case, seed)
        try:
            kind.check(made, tally)
        except Exception as error:
            told = str(error) if isinstance(error, FailureError) else traceback.format_exc()
            raise FailureError(f"{described(kind, made)}\n{told}") from error
        tally.counts[f"cases: {kind.name}"] += 1

    @classmethod
    def describe(cls, case: int, seed: int) -> str:
        return described(*input_of(case, seed))


def kind_of(case: int) -> Kind:
    return _KIND_OF[case * _STEP % len(_KIND_OF)]


def input_of(case: int, seed: int) -> tuple[Kind, Any]:
    """The kind of a case, and its input."""
    kind = kind_of(case)
    return kind, kind.make(Random(f"{seed} {case}"))  # noqa: S311 - No secrets.


def described(kind: Kind, made: Any) -> str:
    text = repr(made)
    more = f"... of {len(text):,} characters" if len(text) > _SHOWN else ""
    return f"{kind.name}: {text[:_SHOWN]}{more}"
