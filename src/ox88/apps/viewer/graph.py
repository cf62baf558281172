"""The graph of White's winning chances over a game as a picture, with the lines that graph.js draws in a page."""

import html
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

_WIDTH: Final = 640
_HEIGHT: Final = 160
_CAPTION: Final = 24
_EDGE: Final = 5  # Marks keep this distance from the edge.
_COLORS: Final = {"inaccuracy": "#b27c00", "mistake": "#cf5f12", "blunder": "#c2282e"}


class Mark(NamedTuple):
    """An error at a ply: inaccuracy, mistake or blunder, and what is said where the pointer is on it."""

    ply: int
    kind: str
    title: str


def draw_graph(wins: Sequence[float], marks: Sequence[Mark], above: str, below: str) -> str:
    """Draw a game as SVG.

    Args:
        wins: White's chances in percent, before the first move and after each.
        marks: the errors.
        above: the caption above the graph.
        below: the caption below it.

    Returns:
        The text of the SVG.
    """
    height = _HEIGHT + 2 * _CAPTION
    parts = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}"',
        f' viewBox="0 {-_CAPTION} {_WIDTH} {height}">',
        f'<rect y="{-_CAPTION}" width="{_WIDTH}" height="{height}" fill="#fffefb"/>',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#57524a"/>',
        _caption(-7, above),
        _caption(_HEIGHT + 17, below),
        *(_curve(wins, marks) if wins else ()),
        "</svg>",
    )
    return "".join(parts)


def _caption(y: int, words: str) -> str:
    return f'<text x="6" y="{y}" font-family="sans-serif" font-size="13" fill="#23211d">{html.escape(words)}</text>'


def _curve(wins: Sequence[float], marks: Sequence[Mark]) -> Iterator[str]:
    step = _WIDTH / max(len(wins) - 1, 1)
    line = "L".join(f"{ply * step:.1f} {_down(win):.1f}" for ply, win in enumerate(wins))
    yield f'<path d="M0 {_HEIGHT}L{line}L{_WIDTH} {_HEIGHT}Z" fill="#fdfcf8"/>'
    yield f'<path d="M0 {_HEIGHT / 2}H{_WIDTH}" stroke="#6f6a60" stroke-dasharray="4 4"/>'
    yield f'<path d="M{line}" fill="none" stroke="#1f7a6d" stroke-width="1.6"/>'
    for ply, kind, title in marks:
        y = min(max(_down(wins[ply]), _EDGE), _HEIGHT - _EDGE)
        circle = f'<circle cx="{ply * step:.1f}" cy="{y:.1f}" r="4.5" fill="{_COLORS[kind]}" stroke="#fffefb">'
        yield f"{circle}<title>{html.escape(title)}</title></circle>"


def _down(win: float) -> float:
    return _HEIGHT * (1 - win / 100)
