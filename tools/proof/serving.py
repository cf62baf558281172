"""`ox88 serve` for a campaign."""

import contextlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from ox88.apps.web.chessground import FILES
from tools.proof.campaign import FailureError
from tools.proof.runs import MOST_SECONDS, POLL, Run

WORDS: Final = ("-m", "ox88", "serve", "--port", "0", "--data", ".", "--searches", "2")


def socket_of(url: str) -> str:
    """The address of the WebSocket of a page."""
    return url.replace("http", "ws") + "socket"


def prepare(folder: Path) -> None:
    """Put empty files where the board would be, so that none is needed."""
    (folder / "chessground").mkdir()
    for name in FILES:
        (folder / "chessground" / name).touch()


@contextlib.contextmanager
def serving(
    folder: Path, prefix: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> Iterator[tuple[Run, str]]:
    """A server whose data are in a prepared folder, and its address. Raises FailureError.

    prefix: a command that runs Python with the arguments after it.
    """
    with Run((*prefix, *WORDS), folder, environment) as run:
        for _ in range(int(MOST_SECONDS / POLL)):
            if found := re.search(r"http://\S+", run.said()):
                yield run, found[0]
                return
            if run.has_ended_after(POLL):
                raise FailureError(f"the server does not start: {run.wait()}")
        raise FailureError(f"the server does not start within {MOST_SECONDS:g} seconds")
