"""An engine that plays the first legal moves, and misbehaves as its arguments say: `engine.py uci crash=3 words=ouch`.

Arguments are the protocol, `uci` or `xboard`, and habits, each with a number or a word after `=`; see HABITS.
With `shy` the engine misbehaves only once: it creates a file, and behaves when started again.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HABITS = {
    "crash": "exit at the Nth move",
    "hang": "do not answer at the Nth move",
    "play": "N:MOVE: play this at the Nth move, whatever it is",
    "resign": "resign at the Nth move (xboard)",
    "slow": "think 0.4 s at the Nth move",
    "flood": "write lines without end at the Nth move",
    "stream": "write without end of line at the Nth move",
    "result": "1: crash when the game is over (xboard) or a new one begins (uci)",
    "shy": "FILE: misbehave only once",
    "words": "write WORD to stderr before a crash",
    "start": "die, noise, silent or flood: at the start",
    "quit": "ignore: keep running after quit and the end of input",
    "score": "report this score",
    "child": "FILE: start a child process, and write its process id there",
    "number": "FILE: write its own process id there",
    "option": "text after the name of an extra option (uci)",
    "setboard": "0 or 1: the feature setboard (xboard); without it the feature is not sent",
    "nps": "0 or 1: the feature nps (xboard)",
    "reuse": "0: it plays one game only (xboard)",
    "log": "FILE: write all input there",
}
FEATURES = ("setboard", "nps", "reuse")


def say(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - So engines talk.


def flood(text: str) -> None:
    while True:
        sys.stdout.write(text)


def board_of(*fen: str) -> Any:
    """A board; python-chess is imported only now, since XBoard's protocol gives an engine two seconds to start."""
    import chess

    return chess.Board(" ".join(fen)) if fen else chess.Board()


class Engine:
    def __init__(self, habits: dict[str, str]) -> None:
        self.habits = habits
        self.moves = 0
        self.board: Any = None  # Until a game begins.

    def new_game(self) -> None:
        self.moves, self.board = 0, board_of()

    def is_time_for(self, habit: str) -> bool:
        if int(self.habits.get(habit, "0").partition(":")[0]) != self.moves:
            return False
        if "shy" not in self.habits:
            return True
        has_misbehaved = Path(self.habits["shy"]).exists()
        Path(self.habits["shy"]).touch()
        return not has_misbehaved

    def first_move(self) -> str:
        return min(map(str, self.board.legal_moves))

    def answer(self, prefix: str) -> None:
        """The move, or what it does instead."""
        self.moves += 1
        mischief: dict[str, Callable[[], None]] = {
            "crash": self.crash,
            "hang": lambda: time.sleep(1000),
            "play": lambda: say(f"{prefix} {self.habits['play'].partition(':')[2]}"),
            "resign": lambda: say("resign"),
            "flood": lambda: flood("info string noise\n" * 1000),
            "stream": lambda: flood("noise" * 1000),
        }
        for habit, do in mischief.items():
            if self.is_time_for(habit):
                do()
                return
        if self.is_time_for("slow"):
            time.sleep(0.4)
        move = self.first_move()
        say(f"{prefix} {move}")
        self.board.push_uci(move)

    def crash(self) -> None:
        sys.stderr.write(self.habits.get("words", "") + "\n")
        sys.stderr.flush()
        os._exit(3)


def play_uci(engine: Engine, lines: Iterator[str]) -> None:
    for line in lines:
        words = line.split()
        match words[:1]:
            case ["uci"]:
                say("id name Test\nid author Tests")
                say("option name Hash type spin default 16 min 1 max 1024\noption name Style type string default calm")
                say("option name Ponder type check default false\noption name UCI_Chess960 type check default false")
                say("option name Limit type check default false\noption name Clear type button")
                if "option" in engine.habits:
                    say(f"option name Odd {engine.habits['option']}")
                say("uciok")
            case ["isready"]:
                board_of()  # So that the first move is as quick as all others.
                say("readyok")
            case ["ucinewgame"]:
                if engine.moves and "result" in engine.habits:
                    engine.crash()
                engine.new_game()
            case ["position"]:
                place = words.index("moves") if "moves" in words else len(words)
                engine.board = board_of(*words[2:place])
                for move in words[place + 1 :]:
                    engine.board.push_uci(move)
            case ["go"]:
                score = engine.habits.get("score", "0")
                say(f"info depth 1 nodes 10 score cp {score} pv {engine.first_move()}")
                say("info depth 2 score mate 1 lowerbound nodes 20")
                engine.answer("bestmove")
            case ["quit"]:
                return


def play_xboard(engine: Engine, lines: Iterator[str]) -> None:
    is_forced = False
    for line in lines:
        words = line.split()
        match words[:1]:
            case ["protover"]:
                told = " ".join(f"{name}={engine.habits[name]}" for name in FEATURES if name in engine.habits)
                say(f'feature myname="Test" ping=1 usermove=1 {told} variants="normal" done=1')
            case ["ping"]:
                say(f"pong {words[1]}")
            case ["new"]:
                engine.new_game()
                is_forced = False
            case ["force"]:
                is_forced = True
            case ["setboard"]:
                engine.board = board_of(*words[1:])
            case ["usermove"]:
                engine.board.push_uci(words[1])
                if not is_forced:
                    engine.answer("move")
            case ["go"]:
                is_forced = False
                say(f"1 {engine.habits.get('score', '0')} 0 20 {engine.first_move()}")
                engine.answer("move")
            case ["result"]:
                if "result" in engine.habits:
                    engine.crash()
            case ["quit"]:
                return


def logged(path: str | None) -> Iterator[str]:
    for line in iter(sys.stdin.readline, ""):
        if path:
            with Path(path).open("a") as log:
                log.write(line)
        yield line


def main(protocol: str, *arguments: str) -> None:
    habits = dict(argument.split("=", 1) for argument in arguments)
    assert habits.keys() <= HABITS.keys(), habits
    if "child" in habits:
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], stdin=subprocess.DEVNULL)
        Path(habits["child"]).write_text(str(child.pid))
    if "number" in habits:
        Path(habits["number"]).write_text(str(os.getpid()))
    match habits.get("start"):
        case "die":
            sys.exit(habits.get("words", "I die"))
        case "noise":
            say('\x1b[31mHello!\nfeature\nid\ninfo depth x\n{}[]()"\\\n\x00\x07')
            sys.stdout.buffer.write(b"\xff\xfe\n")
            sys.stdout.flush()
        case "flood":
            flood("Hello! " * 1000)
        case "silent":
            time.sleep(1000)
    (play_uci if protocol == "uci" else play_xboard)(Engine(habits), logged(habits.get("log")))
    if habits.get("quit") == "ignore":
        time.sleep(1000)


if __name__ == "__main__":
    main(*sys.argv[1:])
