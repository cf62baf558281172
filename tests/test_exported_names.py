"""The public names: all there, all resolved, none forgotten."""

import importlib.metadata

import pytest

import ox88


def test_every_public_name_resolves() -> None:
    for name in ox88.__all__:
        assert getattr(ox88, name) is not None
        assert name in dir(ox88)


def test_the_version_is_the_distributions() -> None:
    assert ox88.__version__ == importlib.metadata.version("ox88")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        _ = ox88.nonsense
