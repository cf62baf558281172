"""Whatever an engine writes, a search ends with a legal move or an EngineFailure."""

import asyncio
import contextlib
from collections.abc import Iterable
from typing import Any

import chess
import chess.engine
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ox88.apps.match import engine_process
from ox88.apps.match.engine_process import PROTOCOLS, EngineFailure, EngineProcess
from tests.apps.match.scripted import scripted
from tests.processes import PATIENCE

WORDS = """uciok readyok id name author option type spin check combo button string default min max var bestmove ponder
info depth score cp mate lowerbound upperbound pv nodes wdl currmove e2e4 0000 (none) feature done=1 done=0 ping=1 move
setboard=0 myname="x option="a variants=" usermove=1 resign pong 1-0 0-1 1/2-1/2 {x} offer draw Error Illegal # Hint: 1
tellusererror -1 0 99999999999999999999 nan = " ' \\ \0 \x1b[0m"""
LINE = st.lists(st.sampled_from(WORDS.split()), max_size=6).map(" ".join) | st.text(max_size=12)
OUTPUT = st.lists(LINE.map(str.encode) | st.binary(max_size=8), max_size=8).map(b"\n".join)


class Transport(asyncio.SubprocessTransport):
    """A process that does not exist: it keeps its input, and never ends."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def get_pid(self) -> int:
        return 2**22 + 1

    def get_returncode(self) -> int | None:
        return 0

    def get_pipe_transport(self, fd: int) -> Any:  # noqa: ARG002
        return self

    def write(self, data: bytes) -> None:
        self.asked += data.decode().split("\n")[:-1]

    def close(self) -> None:
        pass

    def answer(self) -> str:
        """The right answer to the last line."""
        match self.asked[-1].split():
            case ["ping", number]:
                return f"pong {number}"
            case ["go"]:
                return "move e2e4"
            case ["go", *_]:
                return "bestmove e2e4"
            case [word]:
                return {"uci": "uciok", "isready": "readyok"}.get(word, "")
            case ["protover", "2"]:
                return "feature ping=1 done=1"
        return ""


async def converse(protocol: str, outputs: Iterable[bytes]) -> chess.engine.PlayResult:
    """Start an engine and ask it for a move. Before each right answer the engine writes something; then it ends."""
    engine, transport = PROTOCOLS[protocol](), Transport()
    engine.connection_made(transport)
    process = EngineProcess(scripted(protocol=protocol))

    async def ask() -> chess.engine.PlayResult:
        await process.attach(transport, engine)
        played, _ = await process.play(chess.Board(), chess.engine.Limit(depth=1), "game")
        return played

    asking = asyncio.ensure_future(ask())
    for output in outputs:
        for _ in range(5):
            await asyncio.sleep(0)
        for descriptor in (1, 2):
            engine.pipe_data_received(descriptor, output + b"\n")
        engine.pipe_data_received(1, transport.answer().encode() + b"\n")
    engine.connection_lost(None)
    return await asyncio.wait_for(asking, PATIENCE)


def test_an_engine_that_writes_nothing_else() -> None:
    assert asyncio.run(converse("uci", [b""] * 6)).move == chess.Move.from_uci("e2e4")


def test_an_engine_that_asks_for_time_to_start_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """XBoard's protocol has feature done=0 for that. It comes before the timeout, and the answer comes later."""
    send = PROTOCOLS["xboard"].send_line

    def send_line(engine: chess.engine.Protocol, line: str) -> None:
        send(engine, line)  # type: ignore[arg-type]
        if line == "protover 2":
            asyncio.get_running_loop().call_soon(engine.pipe_data_received, 1, b"feature done=0\n")

    monkeypatch.setattr(PROTOCOLS["xboard"], "send_line", send_line)
    monkeypatch.setattr(engine_process, "START_TIMEOUT", 0.0)
    assert asyncio.run(converse("xboard", [b""] * 6)).move == chess.Move.from_uci("e2e4")


@pytest.mark.parametrize("protocol", ["uci", "xboard"])
@settings(max_examples=30)
@given(outputs=st.lists(OUTPUT, min_size=6, max_size=6))
def test_whatever_an_engine_writes(protocol: str, outputs: list[bytes]) -> None:
    with contextlib.suppress(EngineFailure):
        answer = asyncio.run(converse(protocol, outputs))
        assert answer.move is None or answer.move in chess.Board().legal_moves
