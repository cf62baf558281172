"""XBoard's lines: `feature` and `option`, `move`, thinking output and `stat01`."""

from collections.abc import Iterable, Iterator
from typing import Final

from ox88.engines.base import Info, Option, OptionValue, find_option
from ox88.errors import Ox88Error
from ox88.types import format_uci, is_castling, move_from, move_to

MATE: Final = 100_000  # A mate in N moves is MATE + N, being mated in N -MATE - N.
_BOUND_MARKS: Final = {"exact": "", "lower": " !", "upper": " ?"}  # A mark alone could be a comment on the move.
# The options that have commands of their own, by command.
OPTION_COMMANDS: Final = {"memory": "Hash", "cores": "Threads", "egtpath": "SyzygyPath"}
_KINDS_OF_TEXT: Final = {"File": "file", "Path": "path"}  # By the end of an option's name. A GUI then offers to browse.
_FEATURES: Final = (
    "debug=1 ping=1 setboard=1 usermove=1 san=0 playother=1 colors=0 sigint=0 sigterm=0 reuse=1",
    'variants="normal,fischerandom" analyze=1 draw=1 name=1 ics=0 pause=0 time=1 nps=1 memory=1 smp=1 egt="syzygy"',
)


def format_features(name: str, options: Iterable[Option]) -> Iterator[str]:
    """All `feature` lines but `done`, which the session writes."""
    for features in _FEATURES:
        yield f"feature {features}"
    yield f'feature myname="{name}"'
    for option in options:
        if option.name not in (OPTION_COMMANDS["memory"], OPTION_COMMANDS["cores"]):
            yield format_option(option)


def format_option(option: Option) -> str:
    """The `feature` line that describes an option."""
    kind_of_text = next((kind for end, kind in _KINDS_OF_TEXT.items() if option.name.endswith(end)), "string")
    value: dict[str, str] = {
        "spin": f"-spin {option.default} {option.minimum} {option.maximum}",
        "check": f"-check {int(option.default is True)}",
        "combo": "-combo "
        + " /// ".join(f"*{choice}" if choice == option.default else choice for choice in option.choices),
        "string": f"-{kind_of_text} {option.default or ''}",
        "button": "-button",
    }
    return f'feature option="{_written(option.name)} {value[option.kind]}"'


def _written(name: str) -> str:
    """The name without spaces: python-chess ends a name at the first space, unlike XBoard."""
    return name.replace(" ", "_")


def read_option(text: str, options: Iterable[Option]) -> tuple[str, OptionValue]:
    """The name and the value of an option that follow `option`: `NAME` or `NAME=VALUE`."""
    name, equals, value = text.partition("=")
    options = tuple(options)
    same = (option for option in options if _written(option.name).lower() == _written(name.strip()).lower())
    option = next(same, None) or find_option(options, name.strip())
    if option.kind == "check":
        value = {"0": "false", "1": "true"}.get(value.strip(), value)
    return option.name, value.strip() if equals else None


def read_option_command(command: str, text: str) -> tuple[str, OptionValue]:
    """The name and the value of the option that a command such as `memory` sets. Raises Ox88Error."""
    value = text.strip()
    if command == "egtpath":
        kind, _, value = value.partition(" ")
        if kind != "syzygy":
            raise Ox88Error("expected egtpath syzygy FOLDER: other tables are not used")
    return OPTION_COMMANDS[command], value.strip()


def format_move(move: int, chess960: bool) -> str:
    """Squares, as in `e7e8q`; castling is the king's two steps, or `O-O` and `O-O-O` in Chess960."""
    if is_castling(move) and chess960:
        return "O-O" if move_to(move) > move_from(move) else "O-O-O"
    return format_uci(move)


def format_thinking(info: Info, chess960: bool) -> str:
    """Depth, score, hundredths of a second, nodes, selective depth, nodes a second, tablebase hits; a tab; moves."""
    line = " ".join(format_move(move, chess960) for move in info.line) or "(no move)"
    mate = info.score.mate
    score = info.score.centipawns or 0 if mate is None else mate + (MATE if mate > 0 else -MATE)
    return (
        f"{info.depth} {score} {int(100 * info.time)} {info.nodes} "
        f"{info.selective_depth} {info.nodes_per_second} {info.tablebase_hits}\t{line}{_BOUND_MARKS[info.bound]}"
    )


def format_status(newest: Info | None, seconds: float, moves: int, chess960: bool) -> str:
    """`stat01`: what is searched after so many seconds; moves: how many there are at the root."""
    if newest is None:
        return f"stat01: {int(100 * seconds)} 0 0 {moves} {moves}"
    words = f"stat01: {int(100 * seconds)} {newest.nodes} {newest.depth}"
    if not newest.current_move:
        return f"{words} 0 {moves}"
    left = max(moves - newest.current_move_number, 0)
    return f"{words} {left} {moves} {format_move(newest.current_move, chess960)}"
