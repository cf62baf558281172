"""A game at `ox88 serve`, whose server is killed or whose page goes away: no move that a page was told of is lost."""

import contextlib
import functools
import json
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import chess
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tools.proof.campaign import FailureError, Tally
from tools.proof.runs import Ended, Run, check_told
from tools.proof.serving import prepare, serving, socket_of

LONGEST: Final = 3.0  # Seconds of play before the server is killed.
ENGINE: Final = "micro-Max"
Serve = Callable[[Path], contextlib.AbstractContextManager[tuple[Run, str]]]
_ANSWER: Final = 300.0  # Seconds to wait for a message.


def judge(random: Random, folder: Path, tally: Tally, how: str, serve: Serve = serving) -> None:
    """Play, end the server, and go on with another one. Raises FailureError.

    how: the name of a signal. serve: starts the first server.
    """
    prepare(folder)
    with serve(folder) as (run, url), _Player(url, random) as player:
        player.begin()
        kill = functools.partial(run.end, getattr(signal, how), whole_group=random.random() < 0.5)
        timer = threading.Timer(random.uniform(0, LONGEST), kill)
        timer.start()
        player.play()
        timer.join()
        ended = run.wait()
    if how != "SIGKILL":
        check_told(ended, getattr(signal, how))
    with serving(folder) as (run, url):
        with _Player(url, random) as other:
            other.join(player.game)
            found = other.moves
            if found[: len(player.moves)] != player.moves:
                raise FailureError(f"the page was told of {player.moves}, and after {how} the game has {found}")
            other.play(most_moves=1)
            if other.games() != [player.game]:
                raise FailureError(f"the library has {other.games()}, not {player.game} alone")
        run.end(signal.SIGINT, whole_group=True)
        check_quiet_end(run.wait())
    tally.counts[f"ends by {how}"] += 1
    tally.counts[f"moves at a server that {how} ended, which were there again"] += len(player.moves)


def leave_page(random: Random, folder: Path, tally: Tally) -> None:
    """Play, and cut the connection at a random moment: another page finds the game, and the server ends quietly."""
    prepare(folder)
    with serving(folder) as (run, url):
        with _Player(url, random) as player:
            player.begin()
            timer = threading.Timer(random.uniform(0, LONGEST), player.cut)
            timer.start()
            player.play()
            timer.join()
        with _Player(url, random) as other:
            other.join(player.game)
            if other.moves[: len(player.moves)] != player.moves:
                raise FailureError(f"the page was told of {player.moves}, and the game has {other.moves}")
            other.play(most_moves=1)
        run.end(signal.SIGINT, whole_group=True)
        check_quiet_end(run.wait())
    tally.counts["pages that went away in a game"] += 1


def check_quiet_end(ended: Ended) -> None:
    if ended.code or ended.errors:
        raise FailureError(f"after Ctrl-C the server has ended with {ended}")


class _Player:
    """A page with a game. moves: those that it was told of."""

    def __init__(self, url: str, random: Random) -> None:
        self.game = ""
        self.moves: list[str] = []
        self._random = random
        self._state: dict[str, Any] = {}
        self._url = url
        self._open = contextlib.ExitStack()
        self._socket: ClientConnection

    def __enter__(self) -> "_Player":
        self._socket = self._open.enter_context(connect(socket_of(self._url), compression=None))
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def cut(self) -> None:
        """Close the connection without a word, as when a browser crashes."""
        with contextlib.suppress(OSError):
            self._socket.socket.shutdown(socket.SHUT_RDWR)

    def begin(self) -> None:
        self._say(type="new", engine=ENGINE, side=self._random.choice(("white", "black")), seconds=0.1)
        self._hear("game")

    def join(self, game: str) -> None:
        self._say(type="join", game=game)
        self._hear("game")

    def games(self) -> list[str]:
        self._say(type="library", search="", games=[self.game])
        return [game["id"] for game in self._hear("library")["games"]]

    def play(self, most_moves: int = 1000) -> None:
        """Play some moves, until the end of the game or of the server."""
        played = 0
        with contextlib.suppress(ConnectionClosed):
            while self._state["ending"] is None:
                if self._state["position"]["dests"]:
                    if played == most_moves:
                        return
                    self._say(type="move", move=self._move())
                    played += 1
                self._hear("game")

    def _move(self) -> str:
        board = chess.Board(self._state["position"]["fen"])
        return self._random.choice(list(board.legal_moves)).uci()

    def _say(self, **message: object) -> None:
        self._socket.send(json.dumps(message))

    def _hear(self, kind: str) -> dict[str, Any]:
        """The next message of a kind. Raises TimeoutError, ConnectionClosed."""
        while True:
            said: dict[str, Any] = json.loads(self._socket.recv(_ANSWER))
            if said["type"] == "error":
                raise FailureError(f"the server says {said}")
            if said["type"] == "game":
                self._state, self.game = said, said["game"]
                self.moves = [move["uci"] for move in said["moves"]]
            if said["type"] == kind:
                return said
