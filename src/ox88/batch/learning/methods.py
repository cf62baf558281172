"""Inputs and targets of networks for many positions, and what the strong engine says of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ox88.batch.learning import engine, features, planes, policy, polyglot
from ox88.batch.learning.network import NetworkSource, accumulators, evaluate_by
from ox88.batch.rows.arguments import View
from ox88.batch.rules.fields import Fields
from ox88.batch.rules.move_arguments import Moves, Numbers


class Learning(Fields):
    """Positions as networks and the strong engine see them."""

    __slots__ = ()

    def planes(
        self,
        dtype: DTypeLike = np.float32,
        *,
        view: View = "white",
        out: NDArray[Any] | None = None,
        threads: int | None = None,
    ) -> NDArray[Any]:
        """Input planes for a convolutional network: pieces, castling, en passant, the side to move.

        The docstring of `ox88.batch.learning.planes` lists them.

        Args:
            dtype: bool, or a type of whole or floating-point numbers of at most 64 bits.
            view: "white", or "mover" to flip the board where Black is to move.
            out: dtype[n, 18, 8, 8], an array to write to and return, which is faster than a new one.
            threads: Number of threads; all cores by default.

        Returns:
            dtype[n, 18, 8, 8]. `torch.from_dlpack` and `jax.numpy.from_dlpack` take it without a copy.

        Raises:
            TypeError: `dtype` is not such a type, or `out` has another dtype.
            Ox88Error: `out` has another shape, or `view` is unknown.
        """
        return planes.planes(self._records, dtype, view, out, threads)

    def features(self, kind: features.FeatureSet = "768", *, threads: int | None = None) -> features.Features:
        """The pieces as sparse inputs of a network like NNUE's, for the side to move and for the other side.

        Args:
            kind: "768", "halfkp" or "halfka" (ox88.batch.learning.features).
            threads: Number of threads; all cores by default.

        Returns:
            `features[i]` is int32[2, k], those of position i; `features.indices` int32[2, total] has those of all, and
            `features.offsets` int64[n + 1] where each position's begin.

        Raises:
            Ox88Error: `kind` is unknown.
        """
        return features.features(self._records, kind, threads)

    def policy_index(
        self, moves: Moves, layout: policy.Layout = "az", *, threads: int | None = None
    ) -> NDArray[np.int64]:
        """The policy indices of moves (ox88.batch.learning.policy).

        Args:
            moves: One legal move for each position, as for `push`, or LegalMoves.
            layout: "az" for AlphaZero's 8 x 8 x 73, "compact" for the 1,858 of Leela Chess Zero.
            threads: Number of threads; all cores by default.

        Returns:
            int64[number of moves].

        Raises:
            IllegalMoveError: A move is not legal.
            Ox88Error: `layout` is unknown, or the number of moves is wrong.
        """
        return policy.policy_index(self._records, moves, layout, threads)

    def policy_move(
        self, indices: Numbers, layout: policy.Layout = "az", *, threads: int | None = None
    ) -> NDArray[np.uint16]:
        """uint16[n]: the legal move of position i with the policy index indices[i].

        Args:
            indices: Whole numbers, as `policy_index` returns them.
            layout: "az" or "compact".
            threads: Number of threads; all cores by default.

        Raises:
            IndexError: The layout has no such index.
            RowError: No legal move of the position has the index.
        """
        return policy.policy_move(self._records, indices, layout, threads)

    def policy_mask(self, layout: policy.Layout = "az", *, threads: int | None = None) -> NDArray[np.bool_]:
        """A mask that is True at the policy indices of the legal moves.

        Args:
            layout: "az" or "compact".
            threads: Number of threads; all cores by default.

        Returns:
            bool[n, 4672] for "az", bool[n, 1858] for "compact".
        """
        return policy.policy_mask(self._records, layout, threads)

    def polyglot_key(self, *, threads: int | None = None) -> NDArray[np.uint64]:
        """uint64[n]: the keys of Polyglot opening books, as chess.polyglot.zobrist_hash computes them."""
        return polyglot.polyglot_key(self._records, threads)

    def evaluate(
        self, *, by: NetworkSource = "ox88", view: View = "white", threads: int | None = None
    ) -> NDArray[np.int16]:
        """int16[n]: static evaluations in centipawns, by a network or by the handcrafted evaluation.

        A network's are those that the engine computes with it: where a side has only its king, or a queen plays against
        one piece, the handcrafted evaluation serves, and with c plies on the halfmove clock a value v becomes
        v - (v * c >> 8).

        Args:
            by: "ox88" for the network that comes with Ox88, an `ox88.Network`, the path of a network's file, which each
                call reads, or "handcrafted" for the handcrafted evaluation.
            view: "white", or "mover" for evaluations for the side to move.
            threads: Number of threads; all cores by default.

        Raises:
            NetworkError: The file is no network, the network has another number of neurons than the engine's, or this
                copy of Ox88 has none.
        """
        if isinstance(by, str) and by == "handcrafted":
            return engine.evaluate(self._records, view, threads)
        return evaluate_by(by, self._records, view, threads)

    def accumulators(
        self,
        *,
        network: NetworkSource = "ox88",
        out: NDArray[Any] | None = None,
        threads: int | None = None,
    ) -> NDArray[np.int16]:
        """The hidden neurons of a network, as features for a network of your own.

        Args:
            network: "ox88" for the network that comes with Ox88, an `ox88.Network`, or the path of a file.
            out: int16[n, 2, N], an array to write to and return, which is faster than a new one.
            threads: Number of threads; all cores by default.

        Returns:
            int16[n, 2, N]: the N neurons of the side to move, then those of the other side, before their activation.
            255 is 1.0.

        Raises:
            NetworkError: As for `evaluate`.
            TypeError: `out` is not of int16.
            Ox88Error: `out` has another shape.
        """
        return accumulators(network, self._records, out, threads)

    def search(
        self,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        view: View = "white",
        hash_megabytes: int = 1,
        threads: int | None = None,
    ) -> engine.SearchResults:
        """Search every position until a limit is reached, each in one thread and with an empty hash table.

        Args:
            depth: Limit for each position in plies, at most 126.
            nodes: Limit for each position in nodes, which is never exceeded.
            view: "white", or "mover" for scores for the side to move.
            hash_megabytes: Size of the hash table of each thread.
            threads: Number of threads; all cores by default.

        Returns:
            `scores` int16[n], `moves` uint16[n], `depths` uint8[n] and `nodes` int64[n]. Scores are centipawns; mate in
            n plies is 31000 - n. The move is 0 if there is none.

        Raises:
            Ox88Error: Neither depth nor nodes is given, or a limit is out of range.
        """
        return engine.search(self._records, depth, nodes, view, hash_megabytes, threads)
