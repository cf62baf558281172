"""Text from other programs and files, such as engines' names, made safe for PGN tags and terminals."""


def label(text: str) -> str:
    """The text in one printable line with single spaces, without double quotes and backslashes."""
    words = " ".join(text.split()).replace('"', "'").replace("\\", "/")
    return "".join(letter if letter.isprintable() else "?" for letter in words)
