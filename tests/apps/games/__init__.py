"""Tests of `ox88 games`."""
