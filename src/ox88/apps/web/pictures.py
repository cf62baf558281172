"""The pictures of `ox88 show` for the page. What draws them is loaded with the first: a start need not wait for it."""

from typing import Any

from ox88.fen import parse_fen


def describe_picture(fen: str, view: str, square: str | None, bits: str | None) -> dict[str, Any]:
    """Raises Ox88Error."""
    from ox88.apps.show.svg import to_svg
    from ox88.apps.show.views import draw

    picture = draw(parse_fen(fen), view, square, bits)
    return {"type": "picture", "svg": to_svg(picture), "title": picture.title, "caption": picture.caption}
