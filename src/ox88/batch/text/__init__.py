"""Kernels between text and records: `fen_reader` and `fen_writer`, `san_reader` and `san_writer`, `uci`, `bytes`."""
