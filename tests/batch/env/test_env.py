"""ox88.Env beside a twin on python-chess: actions, outcomes and observations of random games, step by step."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

import ox88
from ox88.batch.env.observations import Observation
from ox88.batch.learning.policy import Layout
from tests.batch.learning.test_planes import naive_planes

# Games from here end soon, in all ways.
ENDINGS = (
    "8/8/8/8/8/1k6/q7/2K5 b - - 0 1",
    "k7/2Q5/8/8/8/8/8/K7 w - - 4 9",
    "8/8/8/8/8/k7/7p/K7 b - - 0 1",
    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
    "4k3/8/8/8/8/8/8/4K2R w K - 95 70",
    "4k3/8/8/8/8/8/8/4K2R w K - 145 90",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 1",
    "4k3/3p4/8/4P3/4p3/8/3P4/4K3 w - - 0 1",
    "8/8/8/3k4/8/3K4/8/8 w - - 0 1",
)


class Twin:
    """A game of python-chess."""

    def __init__(self, fen: str) -> None:
        self.board = chess.Board(fen, chess960=True)

    def outcome(self, claim_draw: bool, most_plies: int) -> ox88.Outcome:
        board, outcome = self.board, ox88.Outcome
        if board.is_checkmate():
            return outcome.CHECKMATE
        if board.is_stalemate():
            return outcome.STALEMATE
        if board.is_insufficient_material():
            return outcome.INSUFFICIENT_MATERIAL
        if board.is_seventyfive_moves():
            return outcome.SEVENTYFIVE_MOVES
        if board.is_repetition(3 if claim_draw else 5):
            return outcome.REPETITION
        if claim_draw and board.halfmove_clock >= 100:
            return outcome.FIFTY_MOVES
        return outcome.PLY_LIMIT if len(board.move_stack) >= most_plies else outcome.NONE

    def observation(self, kind: Observation) -> NDArray[Any]:
        if kind == "planes":
            return naive_planes(self.board, "mover")
        if kind == "nnue":
            return _sparse(self.board)
        return _with_history(self.board, kind)


def _sparse(board: chess.Board) -> NDArray[np.int16]:
    found = np.full((2, 32), -1, np.int16)
    for row, own in enumerate((board.turn, not board.turn)):
        for number, (square, piece) in enumerate(sorted(board.piece_map().items())):
            kind = piece.piece_type - 1 + (0 if piece.color == own else 6)
            found[row, number] = kind * 64 + (square if own else chess.square_mirror(square))
    return found


def _with_history(board: chess.Board, kind: Observation) -> NDArray[np.uint8]:
    size, count = (14, 119) if kind == "az" else (13, 112)
    planes = np.zeros((count, 8, 8), np.uint8)
    own, past = board.turn, board.copy()
    for back in range(8):
        for square, piece in past.piece_map().items():
            plane = back * size + piece.piece_type - 1 + (0 if piece.color == own else 6)
            rank = chess.square_rank(square)
            planes[plane, rank if own else 7 - rank, chess.square_file(square)] = 1
        planes[back * size + 12] = past.is_repetition(2)
        if kind == "az":
            planes[back * size + 13] = past.is_repetition(3)
        if not past.move_stack:
            break
        past.pop()
    rights = [
        side(colour)
        for colour in (own, not own)
        for side in (board.has_kingside_castling_rights, board.has_queenside_castling_rights)
    ]
    if kind == "az":
        values = [not own, len(board.move_stack) // 2, *rights, board.halfmove_clock]
        planes[112:] = np.reshape(values, (7, 1, 1))
    else:
        values = [rights[1], rights[0], rights[3], rights[2], not own, board.halfmove_clock, 0, 1]
        planes[104:] = np.reshape(values, (8, 1, 1))
    return planes


def _check(env: ox88.Env, twins: list[Twin], kind: Observation, layout: Layout) -> None:
    fens = [twin.board.fen(shredder=True, en_passant="fen") for twin in twins]
    positions = ox88.Positions.from_fens(fens)
    assert env.positions.fens(shredder=True) == positions.fens(shredder=True)
    assert np.array_equal(env.mask, positions.policy_mask(layout))
    assert np.array_equal(env.turn, [not twin.board.turn for twin in twins])
    assert np.array_equal(env.plies, [len(twin.board.move_stack) for twin in twins])
    for row, twin in enumerate(twins):
        assert np.array_equal(env.observations[row], twin.observation(kind)), (row, fens[row])


@pytest.mark.parametrize(
    ("kind", "layout", "claim_draw", "most_plies"),
    [("planes", "az", True, 60), ("az", "compact", True, 500), ("leela", "az", False, 500), ("nnue", "az", True, 80)],
)
@pytest.mark.parametrize("size", [8, pytest.param(24, marks=pytest.mark.slow)])
def test_random_games(kind: Observation, layout: Layout, claim_draw: bool, most_plies: int, size: int) -> None:
    starts = ox88.Positions.from_fens([ox88.STARTPOS, *ENDINGS])
    env = ox88.Env(
        size, observation=kind, layout=layout, start=starts, most_plies=most_plies, claim_draw=claim_draw, seed=8
    )
    twins = [Twin(fen) for fen in env.positions.fens(shredder=True)]
    ends = set()
    for step in range(260):
        actions = env.sample()
        moves = env.positions.policy_move(actions, layout)
        for twin, text in zip(twins, env.positions.format_uci(moves), strict=True):
            twin.board.push(twin.board.parse_uci(text))
        observations, rewards, outcomes = env.step(actions)
        assert observations is env.observations
        expected = [twin.outcome(claim_draw, most_plies) for twin in twins]
        assert outcomes.tolist() == expected
        assert rewards.tolist() == [end == ox88.Outcome.CHECKMATE for end in expected]
        for row in np.flatnonzero(outcomes):
            ends.add(expected[row])
            twins[row] = Twin(env.positions[[row]].fens(shredder=True)[0])
            assert env.positions.fens()[row] in starts.fens()
        if step % 4 == 0 or any(outcomes):
            _check(env, twins, kind, layout)
    either = {ox88.Outcome.FIFTY_MOVES} if claim_draw else {ox88.Outcome.SEVENTYFIVE_MOVES}
    wanted = {ox88.Outcome.CHECKMATE, ox88.Outcome.STALEMATE, ox88.Outcome.INSUFFICIENT_MATERIAL} | either
    assert ends >= (wanted | {ox88.Outcome.PLY_LIMIT} if most_plies == 60 else wanted)


def _play(env: ox88.Env, *sans: str) -> Any:
    for san in sans:
        done = env.step(env.positions.policy_index([san] * len(env)))
    return done


@pytest.mark.parametrize(("claim_draw", "times"), [(True, 3), (False, 5)])
def test_repetitions_end_a_game(claim_draw: bool, times: int) -> None:
    env = ox88.Env(2, claim_draw=claim_draw)
    there_and_back = ("Nf3", "Nf6", "Ng1", "Ng8")
    for _ in range(times - 2):
        assert not _play(env, *there_and_back).outcomes.any()
    assert not _play(env, *there_and_back[:3]).outcomes.any()
    assert _play(env, there_and_back[3]).outcomes.tolist() == [ox88.Outcome.REPETITION] * 2
    assert env.plies.tolist() == [0, 0]
    assert not _play(env, *there_and_back).outcomes.any()  # The game before counts no more.


def test_planes_of_repetitions() -> None:
    env = ox88.Env(1, observation="az", claim_draw=False)
    twin = Twin(ox88.STARTPOS)
    for san in ("Nf3", "Nf6", "Ng1", "Ng8") * 3:
        _play(env, san)
        twin.board.push_san(san)
        _check(env, [twin], "az", "az")
    assert env.observations[0, 13].all()


def test_planes_of_long_games() -> None:
    env = ox88.Env(60, observation="az", most_plies=None, claim_draw=False, seed=3)
    for _ in range(530):
        env.step(env.sample())
    assert env.plies.max() == 530
    assert np.array_equal(env.observations[:, 113, 0, 0], np.minimum(env.plies // 2, 255))


@pytest.mark.parametrize(("kind", "plane"), [("az", 118), ("leela", 109)])
def test_planes_of_a_start_with_a_large_clock(kind: Observation, plane: int) -> None:
    starts = ox88.Positions.from_fens(["4k3/8/8/8/8/8/8/4K2R w K - 9999 90"])
    assert np.unique(ox88.Env(1, observation=kind, start=starts).observations[0, plane]).tolist() == [255]


def test_a_mate_is_won_by_who_gives_it() -> None:
    done = _play(ox88.Env(3), "f3", "e5", "g4", "Qh4")
    assert done.rewards.tolist() == [1, 1, 1]
    assert done.outcomes.tolist() == [ox88.Outcome.CHECKMATE] * 3


def test_seeds_threads_and_resets() -> None:
    def play(threads: int) -> list[Any]:
        env = ox88.Env(600, start="chess960", seed=5, threads=threads)
        found = [env.positions.fens()]
        for _ in range(30):
            env.step(env.sample())
        return [*found, env.positions.fens(), env.observations.copy(), env.mask.copy()]

    one, other = play(1), play(3)
    for first, second in zip(one, other, strict=True):
        assert np.array_equal(first, second)
    assert len(set(one[0])) > 300  # Of 960 starts.
    env = ox88.Env(600, start="chess960", seed=5)
    env.step(env.sample())
    assert env.reset(5) is env.observations
    assert env.positions.fens() == one[0]
    assert env.mask.sum() == env.positions.legal_moves().offsets[-1]
    env.reset()
    assert env.positions.fens() != one[0]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])  # noqa: S301 - Own.
@pytest.mark.parametrize("kind", ["az", "nnue"])
def test_a_copy_goes_on_alone(copied: Callable[[ox88.Env], ox88.Env], kind: Observation) -> None:
    """It sees its own games: tree searches copy environments (as PettingZoo #1307 tells)."""
    env = ox88.Env(4, observation=kind, seed=2)
    env.step(env.sample())
    other, before = copied(env), env.observations.copy()
    found = [other.step(other.sample()).observations.copy() for _ in range(3)]
    assert np.array_equal(env.observations, before)
    assert np.array_equal(found, [env.step(env.sample()).observations.copy() for _ in range(3)])
    assert not np.array_equal(found[2], before)
    assert np.array_equal(other.observations, env.observations)
    assert other.step(other.sample()).observations is other.observations


@pytest.mark.parametrize("threads", [1, 2])
def test_an_illegal_action_changes_nothing(threads: int) -> None:
    env = ox88.Env(700, threads=threads, seed=1)
    actions = env.sample()
    actions[600] = 0
    before = env.positions
    with pytest.raises(ox88.RowError, match=r"row 600: action 0 is not legal in rnbqkbnr/.*: one that `mask` has is"):
        env.step(actions)
    assert env.positions == before
    for wrong in (-1, 4672, 1 << 40):
        actions[600] = wrong
        with pytest.raises(ox88.RowError, match=f"action {wrong} is"):
            env.step(actions)


def test_wrong_arguments() -> None:
    env = ox88.Env(2)
    with pytest.raises(ox88.Ox88Error, match=r"actions of shape \(3,\): one for each"):
        env.step([1, 2, 3])
    with pytest.raises(TypeError, match="actions of float64: whole numbers are expected"):
        env.step([1.0, 2.0])
    for settings, words in (
        ({"games": 0}, "games is 0: 1 to"),
        ({"observation": "leela2"}, "observation 'leela2': one of planes, az, leela, nnue is expected"),
        ({"layout": "x"}, "layout 'x': one of az, compact is expected"),
        ({"start": "chess"}, "start 'chess': 'standard', 'chess960' or ox88.Positions"),
        ({"start": ox88.Positions()}, "start: at least one position"),
        ({"most_plies": 0}, "most_plies is 0: at least 1"),
        ({"threads": 0}, "work on 0 threads"),
        ({"seed": -1}, "seed is -1: at least 0"),
    ):
        with pytest.raises(ox88.Ox88Error, match=words):
            ox88.Env(**settings)
    with pytest.raises(TypeError, match="start is of type list"):
        ox88.Env(start=[ox88.STARTPOS])  # type: ignore[arg-type]
    mated = ox88.Positions.from_fens([ox88.STARTPOS, "k7/1Q6/1K6/8/8/8/8/8 b - - 0 1"])
    with pytest.raises(ox88.RowError, match="row 1: no game can begin without a legal move: k7/1Q6"):
        ox88.Env(start=mated)
