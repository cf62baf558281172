"""UCI, XBoard, and options of engines in this process, for the campaign fuzz."""

import gc
from collections.abc import Sequence
from random import Random
from typing import Any, Final

import chess
import chess.engine

import ox88
from ox88.engines.host import BOOK_FILE, CHESS960, OWN_BOOK, PONDER, SHOW_WDL
from ox88.engines.modern.options import OPTIONS
from ox88.engines.registry import MICROMAX, MODERN
from ox88.protocols import xboard
from tests.protocols import test_uci_fuzz, test_xboard_fuzz
from tests.protocols.fake import Dialogue, first_legal
from tests.protocols.fuzz import shortened
from tools.proof.campaign import Tally
from tools.proof.fuzz.inputs import TEXTS, Kind, boards, changed, epd, json_value, same

_LAST: Final = test_xboard_fuzz.LAST
_WAIT: Final = test_xboard_fuzz.WAIT
_NODES: Final = 50
_UCI_WORDS: Final = (*"-98", "moves", " fen ", "name ", "value ", *TEXTS)
_XBOARD_WORDS: Final = (*":.=99(){}", "ping ", "usermove ", *TEXTS)


def uci_lines(dice: Random) -> list[str]:
    return _commands(dice, test_uci_fuzz.SEEDS, _UCI_WORDS, "position fen ")


def xboard_lines(dice: Random) -> list[str]:
    return _commands(dice, (*test_xboard_fuzz.SEEDS, test_xboard_fuzz.WAIT), _XBOARD_WORDS, "setboard ")


def _commands(dice: Random, seeds: Sequence[str], words: Sequence[str], before_fen: str) -> list[str]:
    """Up to thirty lines, two thirds of them good commands. None of them is quit."""
    lines = (_command(dice, seeds, words, before_fen) for _ in range(dice.randint(1, 30)))
    return [" ".join("quid" if word == "quit" else word for word in line.split()) for line in lines]


def _command(dice: Random, seeds: Sequence[str], words: Sequence[str], before_fen: str) -> str:
    kind = dice.randrange(12)
    if kind == 0:
        return before_fen + epd(dice)
    return changed(dice, seeds, words) if kind < 4 else dice.choice(seeds)


def check_uci(lines: list[str], tally: Tally) -> None:
    """Each go gets one bestmove, and the position stays legal."""
    dialogue = Dialogue(first_legal, first_legal)
    try:
        dialogue.send(*lines, "stop", "isready")
        test_uci_fuzz.check_answers(lines, dialogue.out)
    finally:
        dialogue.end()
    check_engine(dialogue, lines, tally)


def check_xboard(lines: list[str], tally: Tally) -> None:
    """Each ping is answered, each answer is one that the protocol knows, and the position stays legal."""
    dialogue = Dialogue(first_legal, first_legal, speaks=xboard.Session)
    try:
        for number, line in enumerate(lines, 1):
            dialogue.send(line)
            if line == _WAIT:
                dialogue.send("?")
                dialogue.expect(_WAIT.replace("ping", "pong"), lines[:number].count(_WAIT))
        dialogue.send("force", _LAST)
        test_xboard_fuzz.check_answers(lines, dialogue.out)
    finally:
        dialogue.end()
    check_engine(dialogue, lines, tally)


def check_engine(dialogue: Dialogue, lines: list[str], tally: Tally) -> None:
    same("the engine's position is legal", dialogue.engine.board.is_valid(), True)
    same("failures", [line for line in dialogue.out if "failed" in line], [])
    tally.counts["lines of dialogues"] += len(lines)


def check_engines_by_uci(lines: list[str], tally: Tally) -> None:
    """The same of the real engines."""
    small = [shortened(line, r"(hash|threads)( value)? ") for line in lines]
    entry = MICROMAX if len(lines) % 2 else MODERN
    legal = test_uci_fuzz.converse(entry, small)
    free_tables()
    same("the engine's position is legal", legal, True)
    tally.counts["lines to the real engines"] += len(lines)


def check_engines_by_xboard(lines: list[str], tally: Tally) -> None:
    small = [shortened(line, r"(hash=|threads=|memory|cores)\s*") for line in lines]
    entry = MICROMAX if len(lines) % 2 else MODERN
    board = test_xboard_fuzz.converse(entry, small)
    free_tables()
    same("the position is legal", board.is_valid(), True)
    tally.counts["lines to the real engines"] += len(lines)


def free_tables() -> None:
    """Free the tables of a session that has ended, up to 190 MB.

    It refers to itself, so they would stay until Python looks for such cycles. Elsewhere a process has one session.
    """
    gc.collect()


# --- Options ----------------------------------------------------------------------------------------------------------

_OPTIONS: Final = {option.name: option for option in (*OPTIONS, OWN_BOOK, BOOK_FILE, CHESS960, SHOW_WDL, PONDER)}
_SIZES: Final = ("hash", "threads", "multipv")  # Options whose cost is not what is tried.


def options(dice: Random) -> tuple[dict[str, Any], chess.Board]:
    """Options of the engine, and a position. Tables and threads are of moderate size."""
    names = (_option_name(dice) for _ in range(dice.choice((1, 1, 2, 3))))
    return {name: _option_value(dice, name) for name in names}, dice.choice(boards()[:100])


def _option_name(dice: Random) -> str:
    name = dice.choice([*_OPTIONS])
    return changed(dice, (name, name.upper()), TEXTS, 100) if dice.random() < 0.1 else name


def _option_value(dice: Random, name: str) -> Any:
    option = _OPTIONS.get(name)
    if option is None or dice.random() < 0.3:
        value = json_value(dice)
    elif option.kind == "spin":
        value = dice.choice((option.minimum, option.maximum, option.default, str(option.minimum), option.maximum + 1))
    else:
        value = dice.choice((True, False, "true", "", "<empty>", "/no/such", option.default))
    return 2 if name.lower() in _SIZES and isinstance(value, int | float) and 2 < value < 1 << 19 else value


def check_options(sample: tuple[dict[str, Any], chess.Board], tally: Tally) -> None:
    """Options are refused, or the engine finds a legal move with them."""
    options, board = sample
    try:
        with ox88.Engine(options, expert=True) as engine:
            played = engine.play(board, chess.engine.Limit(nodes=_NODES)).move
    except (chess.engine.EngineError, TypeError):
        tally.counts["options that were refused"] += 1
        return
    legal = list(board.legal_moves)
    same("the move is legal", played in legal if legal else played is None, True)
    tally.counts["options that were set"] += 1


KINDS: Final = (
    Kind("UCI", uci_lines, check_uci, 25),
    Kind("XBoard", xboard_lines, check_xboard, 25),
    Kind("UCI to the engines", uci_lines, check_engines_by_uci, 2),
    Kind("XBoard to the engines", xboard_lines, check_engines_by_xboard, 2),
    Kind("options", options, check_options, 6),
)
