"""The evaluation over a game, as the page of `ox88 analyse` draws it."""

import html
from collections.abc import Iterator
from typing import Final

from ox88.apps.analyse.records import GameRecord, MoveRecord, PlayerRecord

_WIDTH: Final = 640
_HEIGHT: Final = 160
_CAPTION: Final = 24
_EDGE: Final = 5  # A mark stays so far inside.
_COLORS: Final = {"inaccuracy": "#b27c00", "mistake": "#cf5f12", "blunder": "#c2282e"}
_SIGNS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def draw_graph(record: GameRecord) -> str:
    """An SVG: White's chance to win after each move, from the bottom to the top, with the bad moves marked."""
    height = _HEIGHT + 2 * _CAPTION
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"',
        f' viewBox="0 {-_CAPTION} {_WIDTH} {height}">',
        f'<rect y="{-_CAPTION}" width="{_WIDTH}" height="{height}" fill="#fffefb"/>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#57524a"/>',
        _caption(-7, record, "Black", record["black"]),
        _caption(_HEIGHT + 17, record, "White", record["white"]),
        *_curve(record),
        "</svg>",
    )
    return "".join(parts)


def _caption(y: int, record: GameRecord, color: str, player: PlayerRecord | None) -> str:
    words = f"{color}: {dict(record['headers']).get(color, '?')}"
    if player is not None and player["accuracy"] is not None:
        counts = (player["inaccuracies"], player["mistakes"], player["blunders"])
        bad = ", ".join(f"{count} {sign}" for count, sign in zip(counts, _SIGNS.values(), strict=True) if count)
        words += f" · accuracy {player['accuracy']:.0f} %{', ' + bad if bad else ''}"
    return f'<text x="6" y="{y}" font-family="sans-serif" font-size="13" fill="#23211d">{html.escape(words)}</text>'


def _curve(record: GameRecord) -> Iterator[str]:
    start, moves = record["start"], record["moves"]
    if start is None:
        return
    step = _WIDTH / max(len(moves), 1)
    points = [f"{ply * step:.1f} {_down(at['win']):.1f}" for ply, at in enumerate([start, *moves])]
    line = "L".join(points)
    yield f'<path d="M0 {_HEIGHT}L{line}L{_WIDTH} {_HEIGHT}Z" fill="#fdfcf8"/>'
    yield f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="#6f6a60" stroke-dasharray="4 4"/>'
    yield f'<path d="M{line}" fill="none" stroke="#1f7a6d" stroke-width="1.6"/>'
    for number, move in enumerate(moves, 1):
        if move["judgement"] is not None:
            yield _mark(number * step, move)


def _mark(x: float, move: MoveRecord) -> str:
    kind = move["judgement"] or ""
    y = min(max(_down(move["win"]), _EDGE), _HEIGHT - _EDGE)
    circle = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4.5" fill="{_COLORS[kind]}" stroke="#fffefb">'
    return f"{circle}<title>{html.escape(words_of(move))}</title></circle>"


def words_of(move: MoveRecord) -> str:
    """Such as 12... Nf6?? (+3.20), where Nd7 is better."""
    fields = move["fen"].split()
    number = int(fields[5]) - (move["color"] == "black")
    sign = _SIGNS[move["judgement"]] if move["judgement"] else ""
    better = move["lines"][0]["san"][:1] if sign else []
    dots = "." if move["color"] == "white" else "..."
    words = f"{number}{dots} {move['san']}{sign} ({_evaluation(move)})"
    return words + (f", where {better[0]} is better" if better else "")


def _evaluation(move: MoveRecord) -> str:
    evaluation = move["eval"]
    return f"#{evaluation['mate']}" if "mate" in evaluation else f"{evaluation['cp'] / 100:+.2f}"


def _down(win: float) -> float:
    return _HEIGHT * (1 - win / 100)
