"""The errors of wrong input: their texts are for people, so each names what is wrong and what would be right."""

from typing import Any


class Ox88Error(ValueError):
    """Wrong input. The text names the input, what is wrong with it, and what would be right."""

    def __reduce__(self) -> tuple[Any, ...]:
        """For copies, and for pickle, by which processes hand on errors: both call the class with `args` by default."""
        return _made_of_args, (type(self), *self.args), self.__dict__


def _made_of_args(kind: type[Ox88Error], *args: Any) -> Ox88Error:
    """An error without a call of its `__init__`, which may take something else."""
    return kind.__new__(kind, *args)


class FileError(Ox88Error, OSError):
    """A file that cannot be opened or read."""

    def __str__(self) -> str:
        return str(self.args[0])  # OSError would build another text, of errno and filename.

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self.args, {**self.__dict__, "errno": self.errno, "filename": self.filename}


class MissingFileError(FileError, FileNotFoundError):
    """A file that is not there."""


def unreadable(name: str, error: Exception, what: str = "cannot be opened", hint: str = "") -> FileError:
    """What to raise in place of an error that opening or reading a file has raised. hint: comes last."""
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileError
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    found = kind(f"{name} {what}: {reason}{hint}")
    found.errno, found.filename = getattr(error, "errno", None), getattr(error, "filename", None)
    return found


class IllegalPositionError(Ox88Error):
    """A position that breaks the rules of chess.

    Attributes:
        rules: every broken rule, in words.
    """

    def __init__(self, rules: tuple[str, ...]) -> None:
        super().__init__("illegal position: " + "; ".join(rules))
        self.rules = rules
