"""Texts of others, such as engines' names and last words, as they can stand in a tag of PGN and on a terminal."""


def label(text: str) -> str:
    """The text printable, in one line with single spaces, without double quotes and backslashes."""
    words = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    return "".join(letter if letter.isprintable() else "?" for letter in words)
