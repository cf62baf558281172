"""White's winning chances over a game, as a graph in SVG."""

import html
from collections.abc import Iterator
from typing import Final

from ox88.apps.analyse.records import GameRecord, MoveRecord, PlayerRecord, format_evaluation

_WIDTH: Final = 640
_HEIGHT: Final = 160
_CAPTION: Final = 24
_EDGE: Final = 5  # Marks keep this distance from the edge.
_COLORS: Final = {"inaccuracy": "#b27c00", "mistake": "#cf5f12", "blunder": "#c2282e"}
_GLYPHS: Final = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}


def draw_graph(record: GameRecord) -> str:
    """Draw White's winning chances after each move, from 0 at the bottom to 100 percent, and mark the errors."""
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
        errors = ", ".join(f"{count} {glyph}" for count, glyph in zip(counts, _GLYPHS.values(), strict=True) if count)
        words += f" · accuracy {player['accuracy']:.0f} %{', ' + errors if errors else ''}"
    return f'<text x="6" y="{y}" font-family="sans-serif" font-size="13" fill="#23211d">{html.escape(words)}</text>'


def _curve(record: GameRecord) -> Iterator[str]:
    start, moves = record["start"], record["moves"]
    if start is None:
        return
    step = _WIDTH / max(len(moves), 1)
    line = "L".join(f"{ply * step:.1f} {_down(at['win']):.1f}" for ply, at in enumerate([start, *moves]))
    yield f'<path d="M0 {_HEIGHT}L{line}L{_WIDTH} {_HEIGHT}Z" fill="#fdfcf8"/>'
    yield f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="#6f6a60" stroke-dasharray="4 4"/>'
    yield f'<path d="M{line}" fill="none" stroke="#1f7a6d" stroke-width="1.6"/>'
    for number, move in enumerate(moves, 1):
        if move["judgement"] is not None:
            y = min(max(_down(move["win"]), _EDGE), _HEIGHT - _EDGE)
            color, title = _COLORS[move["judgement"]], html.escape(describe_move(move))
            circle = f'<circle cx="{number * step:.1f}" cy="{y:.1f}" r="4.5" fill="{color}" stroke="#fffefb">'
            yield f"{circle}<title>{title}</title></circle>"


def describe_move(move: MoveRecord) -> str:
    """Such as 12... Nf6?? (+3.20), where Nd7 is better."""
    number = int(move["fen"].split()[5]) - (move["color"] == "black")
    glyph = _GLYPHS[move["judgement"]] if move["judgement"] else ""
    better = move["lines"][0]["san"][:1] if glyph else []
    dots = "." if move["color"] == "white" else "..."
    words = f"{number}{dots} {move['san']}{glyph} ({format_evaluation(move['eval'])})"
    return words + (f", where {better[0]} is better" if better else "")


def _down(win: float) -> float:
    return _HEIGHT * (1 - win / 100)
