"""Networks as files: a .npz archive of NumPy arrays, which tells its sizes and how it was made.

input_weights   int16[768, N]   input_bias   int16[N]
output_weights  int16[8, 2, N]  output_bias  int64[8]
scale           int64[8]        about        JSON: name, and how it was made
checksum        SHA-256 of the arrays above, in hexadecimal
"""

import functools
import hashlib
import io
import json
import lzma
import os
import struct
import tokenize
import zipfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ox88.engines.modern.network.records import BUCKETS, HIDDEN, INPUTS, MOST_INPUT_WEIGHT, MOST_OUTPUT_WEIGHT
from ox88.engines.modern.options import SHIPPED_NETWORK
from ox88.errors import Ox88Error
from ox88.replacing import replaced

_MOST_OUTPUT_BIAS: Final = 1 << 24  # An output of 1,000; the bias of a trained network is smaller than 1.
_N: Final = -1  # In a shape: the number of neurons of each side.
_FIELDS: Final[dict[str, tuple[Any, tuple[int, ...], int, int]]] = {  # Type, shape, least and largest number.
    "input_weights": (np.int16, (INPUTS, _N), -MOST_INPUT_WEIGHT, MOST_INPUT_WEIGHT),
    "input_bias": (np.int16, (_N,), -MOST_INPUT_WEIGHT, MOST_INPUT_WEIGHT),
    "output_weights": (np.int16, (BUCKETS, 2, _N), -MOST_OUTPUT_WEIGHT, MOST_OUTPUT_WEIGHT),
    "output_bias": (np.int64, (BUCKETS,), -_MOST_OUTPUT_BIAS, _MOST_OUTPUT_BIAS),
    "scale": (np.int64, (BUCKETS,), 1, 9_999),  # Trained networks have scales of some hundreds.
}
_MOST_BYTES: Final = 1 << 26  # Unpacked: no network is larger, and a hostile file shall not fill the memory.
# What reading a damaged archive may raise.
DAMAGED: Final = (
    ValueError, KeyError, IndexError, TypeError, SyntaxError, EOFError, OSError, MemoryError, OverflowError,
    RuntimeError, RecursionError, struct.error, zipfile.BadZipFile, zlib.error, lzma.LZMAError, tokenize.TokenError,
)  # fmt: skip
_ARRAYS: Final = (*_FIELDS, "about")


class NetworkError(Ox88Error):
    """A file is not a network, or not one that this engine can use."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A network of whole numbers; network/records.py has their units.

    Output weights, output bias and scale may be given once, if they are the same for any number of pieces.

    Raises:
        NetworkError: an array has another shape, is not of whole numbers, or has numbers that could overflow.

    Attributes:
        input_weights: int16[768, N], from -505 to 505.
        input_bias: int16[N], in the same range.
        output_weights: int16[8, 2, N], from -127 to 127; by the number of pieces, then side to move and other side.
        output_bias: int64[8], in units of 1 / (ACTIVATION_UNIT * OUTPUT_UNIT).
        scale: int64[8], centipawns of an output of 1.0, by the number of pieces.
        about: how the network was made; "name" is its name.
    """

    input_weights: NDArray[np.int16]
    input_bias: NDArray[np.int16]
    output_weights: NDArray[np.int16]
    output_bias: NDArray[np.int64]
    scale: NDArray[np.int64]
    about: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in _FIELDS:
            object.__setattr__(self, name, _spread(name, getattr(self, name), np.size(self.input_bias)))

    @property
    def name(self) -> str:
        """Its name, or the beginning of its checksum if it has none."""
        return str(self.about.get("name") or self.checksum[:8])

    @property
    def checksum(self) -> str:
        """SHA-256 of its arrays, in hexadecimal."""
        return _checksum(_arrays(self))

    @property
    def hidden(self) -> int:
        """N, the number of neurons of each side."""
        return len(self.input_bias)

    def check_size(self) -> None:
        """Raise NetworkError if it has another number of neurons than the engine's networks."""
        if self.hidden != HIDDEN:
            raise NetworkError(
                f"the network {self.name!r} has {self.hidden} neurons a side; this engine takes {HIDDEN}"
            )

    def fill(self, record: Any) -> None:
        """Write the weights into a NETWORK record. Raises NetworkError as `check_size` does."""
        self.check_size()
        for name in _FIELDS:
            record[name] = getattr(self, name)


def write_network(path: Path, network: Network) -> None:
    """Write a file at once; the same network makes the same bytes. Raises OSError."""
    arrays = _arrays(network)
    buffer = io.BytesIO()
    arrays["checksum"] = np.frombuffer(_checksum(arrays).encode(), np.uint8)
    np.savez_compressed(buffer, **cast(Any, arrays))
    with replaced(path) as file:
        file.write(buffer.getvalue())


def read_network(path: str | os.PathLike[str]) -> Network:
    """Read a network from a file that `python -m tools.train` has written.

    Raises:
        NetworkError: the file is missing (the cause is a FileNotFoundError), damaged, or no network.
    """
    path = Path(path)
    try:
        if path.exists() and not path.is_file():  # A pipe would be waited for.
            raise OSError(f"it is a {'folder' if path.is_dir() else 'device or pipe'}; a file is expected")
        with path.open("rb") as file:
            data = file.read(_MOST_BYTES)  # A larger file is no network: cut off there, it is no archive.
    except OSError as error:
        raise NetworkError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # No file can have such a name.
        raise NetworkError(f"{path}: {error}") from error
    try:
        arrays = _read_arrays(data)
        about = json.loads(arrays["about"].tobytes().decode())
    except DAMAGED:
        raise NetworkError(f"{path}: this is no network, or a damaged one; a file of tools.train is expected") from None
    _check(path, arrays, about)
    inputs, outputs = ((arrays[f"{name}_weights"], arrays[f"{name}_bias"]) for name in ("input", "output"))
    try:
        return Network(*inputs, *outputs, arrays["scale"], about)
    except NetworkError as error:
        raise NetworkError(f"{path}: {error}") from None


@functools.cache
def shipped_network() -> Network | None:
    """The network that comes with Ox88; None if this copy has none."""
    return read_network(SHIPPED_NETWORK) if SHIPPED_NETWORK.exists() else None


def _arrays(network: Network) -> dict[str, NDArray[Any]]:
    about = json.dumps(network.about, sort_keys=True).encode()
    return {name: getattr(network, name) for name in _FIELDS} | {"about": np.frombuffer(about, np.uint8)}


def _checksum(arrays: dict[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name in _ARRAYS:
        digest.update(arrays[name].tobytes())
    return digest.hexdigest()


def _read_arrays(data: bytes) -> dict[str, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as members:
        if sum(member.file_size for member in members.infolist()) > _MOST_BYTES:
            raise ValueError
    with np.load(io.BytesIO(data), allow_pickle=False) as archive:
        return {name: archive[name] for name in (*_ARRAYS, "checksum")}


def _check(path: Path, arrays: dict[str, NDArray[Any]], about: Any) -> None:
    """Raise NetworkError unless shapes, types and checksum are right, and `about` has a name."""
    for name, (kind, *_) in _FIELDS.items():
        if arrays[name].dtype != kind or arrays[name].shape != _shape(name, arrays["input_bias"].size):
            raise NetworkError(f"{path}: {_misfit(name, arrays[name], arrays['input_bias'].size)}")
    if arrays["checksum"].tobytes() != _checksum(arrays).encode():
        raise NetworkError(f"{path}: the checksum is wrong, so the file is damaged")
    if not isinstance(about, dict):
        raise NetworkError(f"{path}: what it says about itself is no JSON object")
    if not str(about.get("name", "")).isprintable():
        raise NetworkError(f"{path}: its name {about['name']!r} is not one line of text")


def _shape(name: str, hidden: int) -> tuple[int, ...]:
    """The shape of an array of a network with `hidden` neurons a side."""
    return tuple(max(hidden, 1) if length == _N else length for length in _FIELDS[name][1])


def _misfit(name: str, array: NDArray[Any], hidden: int) -> str:
    kind, shape = np.dtype(_FIELDS[name][0]), list(_shape(name, hidden))
    return f"{name} is {array.dtype} {list(array.shape)}; {kind} {shape} is expected"


def _spread(name: str, values: Any, hidden: int) -> NDArray[Any]:
    """A copy of an array's numbers, with the type and shape of a network. Raises NetworkError as `Network` does."""
    given, shape = np.asarray(values), _shape(name, hidden)
    kind, _, least, most = _FIELDS[name]
    shapes = (shape,) if name.startswith("input") else (shape, shape[1:])  # One for each bucket, or one for all.
    if given.shape not in shapes or given.dtype.kind not in "iu":
        raise NetworkError(_misfit(name, given, hidden))
    if given.min() < least or given.max() > most:
        if name.endswith("weights") or name == "input_bias":
            raise NetworkError(f"{name} has numbers beyond {most}, with which sums could overflow")
        raise NetworkError(f"{name} is {given.tolist()}; numbers from {least} to {most} are expected")
    return np.broadcast_to(given, shape).astype(kind)
