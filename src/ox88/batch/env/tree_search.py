"""Self-play: a tree search by a network, in many games at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ox88.batch.env.env import Env, Step
from ox88.batch.env.gumbel import add_gumbels, halving_orders, improve
from ox88.batch.env.nodes import COLUMNS, COUNT, HEAD, MOVE, MOVE_MASK, NUMBER, PARENT, PLAN, ROOM, SCRATCH, SLOT, TREE
from ox88.batch.env.puct import add_noise, choose_all, move_on, read_roots, simulate
from ox88.batch.rows.arguments import RowError, check_number, check_real
from ox88.bitboard.records import MAX_MOVES, as_array, make_buffer, make_record
from ox88.errors import Ox88Error
from ox88.types import format_uci

Evaluate = Callable[[NDArray[Any]], tuple[Any, Any]]
MAX_SIMULATIONS: Final = 1 << 22
MAX_HALVED: Final = 1 << 16  # Simulations with `considered`.
MAX_LEAVES: Final = 1 << 10
_MOVES: Final = 40  # Of a position, to begin with. Columns that become too small are made twice as large.
_NO_ANSWERS: Final = np.zeros((0, 0), np.float32), np.zeros(0, np.float32)


class Searched(NamedTuple):
    """What a search of n games gives. The arrays are the search's: the next one writes to them.

    Attributes:
        visits: int32[n, actions], how often each action of the root was taken. `TreeSearch.policy` says what to learn.
        values: float32[n], the mean value for the side to move, -1 to 1.
    """

    visits: NDArray[np.int32]
    values: NDArray[np.float32]


class TreeSearch(Env):
    """An `ox88.Env` that finds its moves by a tree search, as AlphaZero does. You bring the network.

        tree = ox88.TreeSearch(evaluate, games=256, simulations=800, observation="az")
        while playing:
            visits, values = tree.search()
            keep(tree.observations, tree.policy(), values)
            tree.step(tree.choose(temperature=1.0))

    ox88.batch.env.puct describes the search (PUCT). A position in which the game has ended by the rules of `Env` has
    the value of its outcome. After a step, the part of the tree behind the move that was played is kept, in PUCT.

    Args:
        evaluate: Called with the observations of m positions, uint8[m, planes, 8, 8]. It returns logits [m, actions]
            and values [m] or [m, 1], -1 to 1 for the side to move: arrays of NumPy, or of torch, JAX and others that
            speak DLPack, in the computer's own memory. The next call writes to the observations.
        games: Number of games.
        simulations: Visits of the root when a search ends. Those that were kept from the search before count.
        considered: 0 for PUCT. Otherwise the root tries so many moves at most, by Gumbel's selection, which learns from
            few simulations what PUCT does not (`ox88.batch.env.gumbel`). Each search then begins with a new tree.
        leaves: Positions of a game in one batch, at most. More make larger batches and a slightly worse search.
        exploration: Factor of the priors (c_puct).
        first_play: An action that nobody has tried counts as the mean value of its position less this.
        noise: Share of Dirichlet noise in the priors of the root; 0 for none, as in matches. With `considered`, 0 for
            none, and anything else for Gumbel's noise in full.
        alpha: Parameter of Dirichlet noise.
        settings: As for `ox88.Env`; the seed is also that of the noise.

    Raises:
        TypeError, Ox88Error: An argument is of a wrong type, or out of range.
        RowError: As from `Env`.
    """

    _trees: Any = np.zeros(0, TREE)

    def __init__(
        self,
        evaluate: Evaluate,
        games: int = 256,
        simulations: int = 800,
        *,
        considered: int = 0,
        leaves: int = 1,
        exploration: float = 1.25,
        first_play: float = 0.2,
        noise: float = 0.25,
        alpha: float = 0.3,
        **settings: Any,
    ) -> None:
        check_number("considered", considered, 0, int(MAX_MOVES))
        check_number("simulations", simulations, 2, MAX_HALVED if considered else MAX_SIMULATIONS)
        check_number("leaves", leaves, 1, MAX_LEAVES)
        if not callable(evaluate):
            raise TypeError(f"evaluate is {evaluate!r}: a function is expected")
        for name, value, least, most in (
            ("exploration", exploration, 0, 1e6),
            ("first_play", first_play, 0, 2),
            ("noise", noise, 0, 1),
            ("alpha", alpha, 1e-6, 1e6),
        ):
            check_real(name, value, least, most)
        super().__init__(games, **settings)
        self._evaluate, self._most, self._mixing = evaluate, simulations, (float(noise), float(alpha))
        self._plan = as_array(make_record(PLAN))
        self._plan["exploration"], self._plan["first_play"], self._plan["leaves"] = exploration, first_play, leaves
        self._plan["halving"] = considered > 0
        self._orders = halving_orders(considered, simulations - 1)
        self._gumbels = np.zeros((games, int(MAX_MOVES) if considered else 0), np.float32)
        self._trees, self._slots = np.zeros(games, TREE), np.zeros((2, games * leaves), SLOT)
        self._scratch = np.zeros(1, SCRATCH)
        self._leaves = make_buffer(self._words.nbytes * leaves).view(np.uint64).reshape(-1, self._words.shape[1])
        self._set_size(int((2 * HEAD + COLUMNS * _MOVES) * simulations + ROOM * leaves))
        self._searched = Searched(np.zeros(self.mask.shape, np.int32), np.zeros(games, np.float32))

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self._set_arguments()

    @property
    def nbytes(self) -> int:
        """Bytes of the trees and of the planes of the leaves. A system gives them when they are first written to."""
        return int(self._whole.nbytes + self._leaves.nbytes)

    def reset(self, seed: int | None = None) -> NDArray[Any]:
        """Begin all games anew. Returns the observations."""
        observations = super().reset(seed)
        self._trees["size"] = 0
        self._choice = np.random.default_rng(None if seed is None else [seed, 1])
        return observations

    def search(self) -> Searched:
        """Search in all games until each root has its visits. Games that are over have none.

        Raises:
            RowError: The network's numbers for a position of a game are impossible, such as NaN.
            Ox88Error: What the network returns has a wrong shape.
            TypeError: It does not return two arrays of numbers.
        """
        try:
            self._simulate(1)
            self._add_noise()
            self._simulate(self._most)
        except BaseException:  # Trees with leaves that wait are of no use.
            self._trees["size"] = 0
            raise
        self._searched.visits.fill(0)
        read_roots(self._trees, self._whole, *self._searched)
        return self._searched

    def choose(self, temperature: ArrayLike = 1.0) -> NDArray[np.int64]:
        """int64[n]: an action of each game by its visits; 0 for games that are over, and before a search.

        Args:
            temperature: One for all games, or one for each. The chances are visits ** (1 / temperature): at 1 as the
                visits, at 0 the most visited action. With `considered`, the search itself decides, at any temperature.

        Raises:
            RowError: A temperature is below 0, or NaN.
            TypeError, Ox88Error: The temperatures are no numbers, or are neither one nor n.
        """
        temperatures = np.asarray(temperature)
        if temperatures.dtype.kind not in "iuf":
            raise TypeError(f"temperature {temperature!r}: one number from 0, or {len(self)}, is expected")
        if temperatures.shape not in ((), (len(self),)):
            shape = temperatures.shape
            raise Ox88Error(f"temperature of shape {shape}: one number from 0, or {len(self)}, is expected")
        actions = np.zeros(len(self), np.int64)
        each = np.broadcast_to(temperatures, len(self)).astype(np.float64)
        for row in np.flatnonzero(~(each >= 0))[:1].tolist():
            raise RowError(row, f"temperature {each[row]}: one number from 0, or {len(self)}, is expected")
        choose_all(self._plan, self._games, *self._memory, each, actions)
        return actions

    def policy(self) -> NDArray[np.float32]:
        """float32[n, actions]: the policy to learn, which is better than the network's.

        These are the shares of the visits; with `considered`, what `ox88.batch.env.gumbel` describes. Zeros for games
        that are over, and before a search.
        """
        if self._plan["halving"][0]:
            policy = np.zeros(self.mask.shape, np.float32)
            improve(*self._memory, self._scratch, self._gumbels, policy)
            return policy
        visits = np.zeros(self.mask.shape, np.int32)  # Of the trees as they are now: a step or an error came perhaps.
        read_roots(self._trees, self._whole, visits, np.empty(len(self), np.float32))
        return np.asarray(visits / np.maximum(visits.sum(axis=1, keepdims=True), 1), np.float32)

    def step(self, actions: ArrayLike) -> Step:
        """Play an action in each game, and keep the tree behind it. Otherwise as `Env.step`."""
        done = super().step(actions)
        if self._plan["halving"][0]:  # Its simulations are counted from 0.
            self._trees["size"] = 0
        move_on(*self._memory, self._actions, done.outcomes)
        return done

    def _simulate(self, most: int) -> None:
        """Go down to leaves and ask the network, until each root has `most` visits."""
        answers, waiting = _NO_ANSWERS, 0
        while True:
            waiting = int(simulate(*self._arguments, *answers, waiting, most))
            if waiting > 0:
                answers = self._ask(waiting)
            elif waiting < 0:
                raise self._impossible(-1 - waiting, answers[1][-1 - waiting])
            elif not self._plan["full"][0]:
                return
            if self._plan["full"][0]:
                before = self._whole
                self._set_size(2 * before.shape[1])
                self._whole[:, : before.shape[1]] = before

    def _set_size(self, size: int) -> None:
        self._whole = make_buffer(len(self) * size * 4).view(np.int32).reshape(len(self), size)
        self._plan["full"] = 0
        self._set_arguments()

    def _set_arguments(self) -> None:
        self._memory = self._trees, self._whole, self._whole.view(np.float32)
        shared = *self._shared[:3], self._plan, self._orders, self._positions, self._games
        self._arguments = *shared, *self._memory, self._scratch, self._slots, self._leaves
        self._planes = self._seen(self._leaves)

    def _ask(self, waiting: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        answer = self._evaluate(self._planes[:waiting])
        if not isinstance(answer, (tuple, list)) or len(answer) != 2:
            raise TypeError(f"evaluate returned {type(answer).__name__}: a pair of logits and values is expected")
        logits = _as_floats("logits", answer[0], (waiting, self.mask.shape[1]))
        return logits, _as_floats("values", answer[1], (waiting,))

    def _impossible(self, row: int, value: float) -> RowError:
        """The error for a leaf whose value or logits no position can have."""
        game, node, _ = self._slots[self._plan["batch"][0] ^ 1, row].tolist()
        words, moves = self._whole[game].tolist(), list[str]()
        while node != 0:
            number, node = words[node + NUMBER], words[node + PARENT]
            moves.insert(0, format_uci(words[node + HEAD + MOVE * words[node + COUNT] + number] & int(MOVE_MASK)))
        where = f"after {' '.join(moves)} from" if moves else "for"
        is_value = not -1 <= value <= 1
        what = f"the value {value}: -1 to 1 is" if is_value else "logits that are no numbers: finite ones are"
        return RowError(game, f"{where} {self.positions[game].fen} evaluate returned {what} expected")

    def _add_noise(self) -> None:
        share, alpha = self._mixing
        if share == 0 and not self._plan["halving"][0]:
            return
        counts = self._games["legal"]["length"] * (self._trees["size"] > 0)
        offsets = np.append(0, np.cumsum(counts))
        if self._plan["halving"][0]:
            gumbels = self._choice.gumbel(size=offsets[-1]) if share else np.zeros(offsets[-1])
            add_gumbels(self._trees, self._memory[2], self._most, self._gumbels, gumbels, offsets)
        else:
            noise = np.maximum(self._choice.standard_gamma(alpha, offsets[-1]), np.finfo(float).tiny)  # Not all are 0.
            add_noise(self._trees, self._memory[2], self._most, noise, offsets, share)


def _as_floats(name: str, given: Any, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """An array of the network as NumPy's, which kernels can take. Raises TypeError, Ox88Error."""
    try:
        found = np.from_dlpack(given) if hasattr(given, "__dlpack__") and not isinstance(given, np.ndarray) else given
    except (BufferError, RuntimeError, TypeError, ValueError) as error:
        expected = f"such as {name}.float().cpu() is expected"
        raise TypeError(f"evaluate returned {name} that NumPy cannot read, {error}: {expected}") from None
    found = np.asarray(found)
    if found.dtype.kind not in "fiu":
        raise TypeError(f"evaluate returned {name} of {found.dtype}: numbers are expected")
    if found.shape != shape and found.shape != (*shape, 1):
        raise Ox88Error(f"evaluate returned {name} of shape {found.shape}: {shape} is expected")
    return np.require(found.reshape(shape), np.float32, ["C", "W", "A"])
