"""Files of networks: what is written can be read, and whatever else is read is refused in one sentence."""

import io
import json
import os
import pickle
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ox88.bitboard.records import make_record
from ox88.engines.modern.network import file as network_file
from ox88.engines.modern.network.file import Network, NetworkError, read_network, shipped_network, write_network
from ox88.engines.modern.network.records import BUCKETS, HIDDEN, NETWORK
from tests.engines.modern.network.naive import random_network

FIELDS = ("input_weights", "input_bias", "output_weights", "output_bias", "scale", "about")


def bytes_of(network: Network, folder: Path) -> bytes:
    write_network(folder / "written.npz", network)
    return (folder / "written.npz").read_bytes()


def are_alike(first: Network, second: Network) -> bool:
    return all(np.array_equal(getattr(first, name), getattr(second, name)) for name in FIELDS)


def error_of(path: Path) -> str:
    """The sentence with which a file is refused. It has one line and begins with the path."""
    with pytest.raises(NetworkError) as raised:
        read_network(path)
    text = str(raised.value)
    assert text.startswith(f"{path}: ")
    assert "\n" not in text
    return text.removeprefix(f"{path}: ")


# --- What is written --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hidden", [1, 8, HIDDEN, 512])
def test_what_is_written_is_read(hidden: int, tmp_path: Path) -> None:
    network = random_network(3, 1.0, hidden)
    write_network(tmp_path / "a.npz", network)
    found = read_network(tmp_path / "a.npz")
    assert are_alike(found, network)
    assert (found.name, found.hidden, found.checksum) == ("random 3", hidden, network.checksum)


def test_the_same_network_makes_the_same_bytes_and_numpy_reads_them(tmp_path: Path) -> None:
    network = random_network()
    data = bytes_of(network, tmp_path)
    assert bytes_of(read_network(tmp_path / "written.npz"), tmp_path) == data
    with np.load(tmp_path / "written.npz") as archive:
        assert set(archive) == {*FIELDS, "checksum"}
        assert json.loads(archive["about"].tobytes()) == network.about
        assert archive["checksum"].tobytes().decode() == network.checksum
    assert bytes_of(random_network(2), tmp_path) != data


def test_a_network_without_a_name_is_called_by_its_checksum() -> None:
    network = random_network()
    network.about.clear()
    assert len(network.name) == 8
    assert network.checksum.startswith(network.name)


def test_only_a_network_of_this_size_fits_the_engine() -> None:
    record = make_record(NETWORK)
    random_network(1).fill(record)
    before = record.tobytes()
    with pytest.raises(NetworkError, match=f"the network 'random 1' has 64 neurons a side; this engine takes {HIDDEN}"):
        random_network(1, hidden=64).fill(record)
    assert record.tobytes() == before


# --- What is refused --------------------------------------------------------------------------------------------------

NO_NETWORK = "this is no network, or a damaged one; a file of tools.train is expected"
DAMAGED = "the checksum is wrong, so the file is damaged"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    assert error_of(tmp_path / "missing.npz") == "No such file or directory"
    assert error_of(tmp_path / ("long" * 100))
    assert error_of(tmp_path / "a\0b")
    assert error_of(tmp_path) == "it is a folder; a file is expected"
    if os.name == "posix":
        os.mkfifo(tmp_path / "pipe")
        assert error_of(tmp_path / "pipe") == "it is a device or pipe; a file is expected"


@pytest.mark.parametrize("length", [0, 1, 4, 29, 100, 1000, 0.5, 0.9, -1000, -100, -22, -4, -1])
def test_a_file_that_is_cut_off(length: float, tmp_path: Path) -> None:
    data = bytes_of(random_network(), tmp_path)
    path = tmp_path / "cut.npz"
    path.write_bytes(data[: int(length * len(data)) if isinstance(length, float) else length])
    assert error_of(path) == NO_NETWORK


@pytest.mark.parametrize(
    "data",
    [b"", b"\n" * 1000, b"PK\x03\x04" + b"\0" * 100, b'[Event "?"]\n\n1. e4 *\n', pickle.dumps({"input_weights": 5})],
)
def test_files_of_another_kind(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    assert error_of(path) == NO_NETWORK
    with path.open("wb") as file:
        file.truncate(1 << 40)  # Larger than any network.
    assert error_of(path) == NO_NETWORK


def test_arrays_that_are_no_network(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", positions=np.zeros((10, 32), np.uint8))
    np.save(tmp_path / "one.npy", np.zeros(10))
    for name in ("other.npz", "one.npy"):
        assert error_of(tmp_path / name) == NO_NETWORK


def arrays_of(network: Network) -> dict[str, Any]:
    return network_file._arrays(network)


def save(path: Path, arrays: dict[str, Any]) -> None:
    """Write arrays with the checksum that they have."""
    checksum = network_file._checksum(arrays)
    np.savez_compressed(path, **arrays, checksum=np.frombuffer(checksum.encode(), np.uint8))


@pytest.mark.parametrize("name", [*FIELDS, "checksum"])
def test_an_array_that_is_missing(name: str, tmp_path: Path) -> None:
    arrays = arrays_of(random_network()) | {"checksum": np.zeros(64, np.uint8)}
    del arrays[name]
    np.savez(tmp_path / "a.npz", **arrays)
    assert error_of(tmp_path / "a.npz") == NO_NETWORK


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("input_weights", np.zeros((768, HIDDEN), np.float32), "input_weights is float32 [768, 256]; int16 [768, 256]"),
        ("input_weights", np.zeros((768, HIDDEN), ">i2"), "input_weights is >i2 [768, 256]; int16 [768, 256] is"),
        ("input_bias", np.zeros(0, np.int16), "input_weights is int16 [768, 256]; int16 [768, 1] is"),
        ("output_weights", np.zeros((2, HIDDEN), np.int16), "output_weights is int16 [2, 256]; int16 [8, 2, 256] is"),
        ("scale", np.array(400), "scale is int64 []; int64 [8] is"),
        ("scale", np.arange(BUCKETS), "scale is [0, 1, 2, 3, 4, 5, 6, 7]; numbers from 1 to 9999 are expected"),
        ("about", np.frombuffer(b"[1]", np.uint8), "what it says about itself is no JSON object"),
        ("about", np.frombuffer(b'{"name": "a\\nb"}', np.uint8), "its name 'a\\nb' is not one line of text"),
        ("about", np.frombuffer(b"{", np.uint8), NO_NETWORK),
        ("about", np.frombuffer(b"[" * 100_000, np.uint8), NO_NETWORK),
        ("about", np.frombuffer(b"\xff\xfe", np.uint8), NO_NETWORK),
    ],
)
def test_arrays_of_the_wrong_shape_type_or_range(name: str, array: Any, reason: str, tmp_path: Path) -> None:
    save(tmp_path / "a.npz", arrays_of(random_network()) | {name: array})
    assert reason in error_of(tmp_path / "a.npz")


def test_what_is_the_same_for_any_number_of_pieces(tmp_path: Path) -> None:
    given = random_network()
    weights: Any = given.output_weights[0].astype(np.int64)
    bias: Any = 7
    scale: Any = 400
    found = Network(given.input_weights, given.input_bias, weights, bias, scale, {"name": "a"})
    assert all(np.array_equal(found.output_weights[bucket], weights) for bucket in range(BUCKETS))
    assert (found.output_bias.tolist(), found.scale.tolist()) == ([7] * BUCKETS, [400] * BUCKETS)
    write_network(tmp_path / "a.npz", found)
    assert are_alike(read_network(tmp_path / "a.npz"), found)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("input_weights", np.zeros(HIDDEN, np.int16), "input_weights is int16 [256]; int16 [768, 256] is expected"),
        ("input_weights", 5, r"input_weights is int64 []; int16 [768, 256] is expected"),
        ("input_bias", np.zeros(8, np.int16), "input_weights is int16 [768, 256]; int16 [768, 8] is expected"),
        ("input_bias", np.zeros((1, HIDDEN), np.int16), "input_bias is int16 [1, 256]; int16 [256] is expected"),
        ("output_weights", np.zeros((8, 1, HIDDEN), np.int16), "int16 [8, 2, 256] is expected"),
        ("output_weights", np.zeros((2, HIDDEN)), "output_weights is float64 [2, 256]; int16 [8, 2, 256] is expected"),
        ("output_weights", np.full((2, HIDDEN), 128), "output_weights has numbers beyond 127, with which sums could"),
        ("output_bias", 1 << 25, "output_bias is 33554432; numbers from -16777216 to 16777216 are expected"),
        ("output_bias", [-(1 << 63)] * 8, "numbers from -16777216 to 16777216 are expected"),
        ("output_bias", None, "output_bias is object []; int64 [8] is expected"),
        ("input_weights", np.full((768, HIDDEN), 506), "input_weights has numbers beyond 505, with which sums could"),
        ("input_weights", np.full((768, HIDDEN), -32768), "input_weights has numbers beyond 505"),
        ("input_bias", np.full(HIDDEN, -506), "input_bias has numbers beyond 505"),
        ("scale", [400] * 7 + [10_000], "numbers from 1 to 9999 are expected"),
        ("scale", 0, "scale is 0; numbers from 1 to 9999 are expected"),
        ("scale", [400] * 7, "scale is int64 [7]; int64 [8] is expected"),
        ("scale", "400", "int64 [8] is expected"),
    ],
)
def test_a_network_in_memory_is_checked(name: str, value: Any, reason: str) -> None:
    arrays = {field: getattr(random_network(), field) for field in FIELDS if field != "about"} | {name: value}
    with pytest.raises(NetworkError, match=re.escape(reason)):
        Network(**arrays)


@pytest.mark.parametrize("name", FIELDS)
def test_an_array_that_differs_from_the_checksum(name: str, tmp_path: Path) -> None:
    arrays = arrays_of(random_network()) | {name: arrays_of(random_network(2))[name]}
    checksum = np.frombuffer(random_network().checksum.encode(), np.uint8)
    np.savez_compressed(tmp_path / "a.npz", **arrays, checksum=checksum)
    assert error_of(tmp_path / "a.npz") == DAMAGED


def test_pickles_are_not_opened(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[Callable[..., object], tuple[object, ...]]:
            return (tmp_path / "sprung").touch, ()

    arrays = arrays_of(random_network()) | {"about": np.array([Trap()], object), "checksum": np.zeros(64, np.uint8)}
    np.savez(tmp_path / "a.npz", allow_pickle=True, **arrays)
    assert error_of(tmp_path / "a.npz") == NO_NETWORK
    assert not (tmp_path / "sprung").exists()


def header(*shape: int) -> bytes:
    """The head of an array, without its numbers."""
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<i2", "fortran_order": False, "shape": shape})
    return head.getvalue()


@pytest.mark.parametrize(
    "data",
    [header(1 << 40), header(1 << 62, 1 << 62), header(768, 1 << 33), bytes(1 << 27)],
    ids=["one axis", "two axes", "a network's axes", "zeros"],
)
def test_a_small_file_that_asks_for_all_memory(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("input_weights.npy", data)
    assert path.stat().st_size < 1 << 20
    assert error_of(path) == NO_NETWORK


@st.composite
def damages(draw: st.DrawFn) -> Callable[[bytes], bytes]:
    """What happens to a file: bytes that are changed, lost, doubled or put in, also near its ends."""
    places = st.one_of(st.floats(0, 1), st.floats(0.98, 1), st.floats(0, 0.02))
    steps = draw(st.lists(st.tuples(places, st.integers(0, 40), st.binary(max_size=8)), min_size=1, max_size=4))

    def damage(data: bytes) -> bytes:
        for place, lost, put_in in steps:
            first = int(place * len(data))
            data = data[:first] + put_in + data[first + lost :]
        return data

    return damage


@given(damages())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_damaged_file_is_refused_or_tells_the_same(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    network, path = random_network(1, 0.1, 4), tmp_path / "damaged.npz"
    path.write_bytes(damage(bytes_of(network, tmp_path)))
    try:
        found = read_network(path)
    except NetworkError:
        assert error_of(path)
    else:
        assert are_alike(found, network)


# --- The shipped one --------------------------------------------------------------------------------------------------


def test_the_shipped_network_is_read_once_and_fits(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(network_file, "SHIPPED_NETWORK", tmp_path / "ox88.npz")
    shipped_network.cache_clear()
    try:
        assert shipped_network() is None
        shipped_network.cache_clear()
        write_network(tmp_path / "ox88.npz", random_network(5))
        found = shipped_network()
        assert found is not None
        assert (found.name, shipped_network()) == ("random 5", found)
    finally:
        shipped_network.cache_clear()
