"""Learn to mate with king and rook against king, from nothing but the rules: self-play with ox88.TreeSearch and NumPy.

    python examples/self_play.py curve.svg --minutes 5
    python examples/self_play.py curve.svg --minutes 5 --games krk.pgn

The second command first learns the moves of games, such as those of Ox88, and goes on by self-play and by them.

The network first sees the board turned and mirrored so that the lone king stands in the triangle a1-d1-d4. A hidden
layer adds a row for each pair of pieces. Its outputs are a value and, of the king and the rook that may move, a logit
for each square to move to. The program plays a round, learns from the last rounds, and so on.
"""

import argparse
import os
import time
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # The matrices are too small for more.

import numpy as np
from numpy.typing import NDArray

import ox88

EPOCHS = 40  # How often `learn` is called with the games of a file before self-play begins.
GAMES, SIMULATIONS, CONSIDERED = 512, 25, 8  # The root's own visit, and 24 that 8 moves share.
TEST_SIMULATIONS, TEST_CONSIDERED = 9, 4
STEPS = 8  # Moves of each game in a round.
HIDDEN, BATCH, BATCHES, MEMORY = 128, 2048, 24, 12  # Positions of a batch, batches and remembered rounds.
DISCOUNT, TRUST, RATE = 0.96, 0.7, 4e-3  # A ply costs 4 %. Trust in the end of a game rather than in the search.
Array = NDArray[Any]
Lessons = tuple[Array, Array, Array]  # Pairs, policies and values, a row for each position.

FILES, RANKS = np.arange(64) % 8, np.arange(64) // 8
# Leela's layout: the moves of a queen and a knight, by the squares they leave and reach. Others have no index, 1858.
ACROSS, UP = abs(FILES[:, None] - FILES), abs(RANKS[:, None] - RANKS)
MOVES = (ACROSS + UP > 0) & ((ACROSS == UP) | (ACROSS * UP == 0) | (ACROSS * UP == 2))
INDEX = np.where(MOVES, np.cumsum(MOVES).reshape(64, 64) - 1, 1858)
# The eight symmetries of the board, and the one for each square of the lone king.
TURNED = np.array(
    [8 * (b ^ 7 * (s >> 1 & 1)) + (a ^ 7 * (s & 1)) for s in range(8) for a, b in [(FILES, RANKS)[:: 1 - 2 * (s >> 2)]]]
)
SYMMETRY = np.array([next(s for s in range(8) if RANKS[t := TURNED[s, k]] <= FILES[t] <= 3) for k in range(64)])


def see(planes: Array) -> tuple[Array, Array, Array]:
    """The pairs of pieces [n, 3] as the network sees them, the squares of the mover's pieces [n, 2], the symmetries."""
    squares = planes.reshape(len(planes), 18, 64)[:, [5, 11, 3, 9]].argmax(axis=2)
    attacks = np.asarray(planes[:, 3].any(axis=(1, 2)))  # The side with the rook is to move.
    own, king = squares[:, 0], np.where(attacks, squares[:, 0], squares[:, 1])
    lone, rook = np.where(attacks, squares[:, 1], own), squares[:, 2] + squares[:, 3]  # One of them is 0.
    symmetry = SYMMETRY[lone]
    a, b, c = TURNED[symmetry, lone], TURNED[symmetry, king], TURNED[symmetry, rook]
    pairs = np.stack((a * 64 + b, 4096 + a * 64 + c, 8192 + b * 64 + c), axis=1) + 12288 * attacks[:, None]
    return pairs, np.stack((own, rook), axis=1), symmetry


class Network:
    def __init__(self) -> None:
        self.choice = np.random.default_rng(1)
        shapes = {"pairs": (2 * 12288, HIDDEN), "out": (HIDDEN, 129), "bias": (129,)}
        scales = {"pairs": 0.3, "out": 0.02, "bias": 0.0}
        self.weights = {
            name: self.choice.normal(0, scales[name], shape).astype(np.float32) for name, shape in shapes.items()
        }
        self.means = {name: (np.zeros_like(some), np.zeros_like(some)) for name, some in self.weights.items()}
        self.steps = 0

    def __call__(self, planes: Array) -> tuple[Array, Array]:
        pairs, squares, symmetry = see(planes)
        _, outputs = self.forward(pairs)
        rows = np.arange(len(planes))[:, None]
        logits = np.zeros((len(planes), 1859), np.float32)
        for piece in range(2):
            logits[rows, INDEX[squares[:, piece]]] = outputs[rows, 64 * piece + TURNED[symmetry]]
        return logits[:, :1858], np.tanh(outputs[:, 128])

    def forward(self, pairs: Array) -> tuple[Array, Array]:
        rows = self.weights["pairs"]
        hidden = np.maximum(rows[pairs[:, 0]] + rows[pairs[:, 1]] + rows[pairs[:, 2]], 0)
        return hidden, hidden @ self.weights["out"] + self.weights["bias"]

    def learn(self, rounds: list[Lessons], rate: float) -> None:
        """Take some steps with positions that are drawn from the rounds."""
        pairs, policies, values = (np.concatenate(some) for some in zip(*rounds, strict=True))
        chances = abs(values) + abs(values).mean() + 1e-3  # At first hardly any position is worth more than 0.
        for _ in range(BATCHES):
            rows = self.choice.choice(len(pairs), size=BATCH, p=chances / chances.sum())
            self.step(pairs[rows], policies[rows], values[rows], rate)

    def step(self, pairs: Array, policy: Array, values: Array, rate: float) -> None:
        """A step of Adam down the gradient of the policy's cross entropy and the value's squared error."""
        hidden, outputs = self.forward(pairs)
        chances = np.exp(outputs[:, :128] - outputs[:, :128].max(axis=1, keepdims=True))
        value = np.tanh(outputs[:, 128])
        slope = np.empty_like(outputs)
        slope[:, :128] = chances / chances.sum(axis=1, keepdims=True) - policy
        slope[:, 128] = 4 * (value - values) * (1 - value**2)
        below = slope @ self.weights["out"].T * (hidden > 0)
        order = np.argsort(pairs, axis=None)
        used, first = np.unique(pairs.ravel()[order], return_index=True)
        slopes = {
            "out": hidden.T @ slope,
            "bias": slope.sum(axis=0),
            "pairs": np.add.reduceat(below[order // 3], first),
        }
        self.steps += 1
        for name, found in slopes.items():
            rows: Any = used if name == "pairs" else slice(None)
            mean, square = self.means[name]
            mean[rows] += 0.1 * (found - mean[rows])
            square[rows] += 0.001 * (found**2 - square[rows])
            size = rate * np.sqrt(1 - 0.999**self.steps)
            self.weights[name][rows] -= size * mean[rows] / (np.sqrt(square[rows]) + 1e-8)


def play_round(tree: ox88.TreeSearch) -> Lessons:
    """Play some moves in new games. Returns what is to be learnt."""
    tree.reset()
    pairs, policies, found, rewards, ended = [], [], [], [], []
    rows = np.arange(len(tree))[:, None]
    for _ in range(STEPS):
        _, values = tree.search()
        seen, squares, symmetry = see(tree.observations)
        shares = np.pad(tree.policy(), ((0, 0), (0, 1)))
        policy = np.zeros((len(tree), 128), np.float32)
        for piece in range(2):
            policy[rows, 64 * piece + TURNED[symmetry]] = shares[rows, INDEX[squares[:, piece]]]
        done = tree.step(tree.choose())
        pairs.append(seen)
        policies.append(policy)
        found.append(values.copy())
        rewards.append(done.rewards.copy())
        ended.append(done.outcomes != 0)
    targets = [np.where(ended[-1], rewards[-1], found[-1])]
    for step in range(STEPS - 2, -1, -1):  # From the end: a game that goes on is worth what comes next.
        after = DISCOUNT * (TRUST * targets[-1] + (1 - TRUST) * found[step + 1])
        targets.append(np.where(ended[step], rewards[step], -after))
    return np.concatenate(pairs), np.concatenate(policies), np.concatenate(targets[::-1]).astype(np.float32)


def lessons_of(games: ox88.Games) -> Lessons:
    """What games teach: the moves that were played, and their results."""
    positions, moves = games.positions(final=False), games.moves.astype(np.int64)
    pairs, squares, symmetry = see(positions.planes(np.uint8, view="mover"))
    turned = 56 * positions.turn.astype(np.int64)  # The mover sees its own first rank below.
    policies, rows = np.zeros((len(moves), 128), np.float32), np.arange(len(moves))
    is_rook = squares[:, 1] == moves & 63 ^ turned
    policies[rows, 64 * is_rook + TURNED[symmetry, moves >> 6 & 63 ^ turned]] = 1
    wins = np.repeat(2 * games.results - 1, games.lengths) * np.where(positions.white_to_move, 1, -1)
    left = np.repeat(games.offsets[1:], games.lengths) - 1 - rows  # Plies to the end.
    return pairs, policies, (wins * DISCOUNT**left).astype(np.float32)


def random_positions(count: int, seed: int) -> ox88.Positions:
    """Legal positions with White's king and rook against Black's king, White to move, in which a move is legal."""
    choice, fens = np.random.default_rng(seed), list[str]()
    while len(fens) < 2 * count:
        board = np.full(64, "1")
        board[choice.choice(64, 3, replace=False)] = ["K", "R", "k"]
        fens.append("/".join("".join(rank) for rank in board.reshape(8, 8)) + " w - - 0 1")
    positions = ox88.Positions.from_fens(fens, errors="skip")
    playable: ox88.Positions = positions[positions.outcome() == 0]
    return playable[:count]


def share_of_wins(network: Network, games: int = 300) -> float:
    """The share of games from random positions in which White mates within 50 moves. The network plays both sides."""
    starts = random_positions(games, seed=2)
    settings: Any = {"considered": TEST_CONSIDERED, "noise": 0, "start": starts, "layout": "compact", "most_plies": 100}
    tree = ox88.TreeSearch(network, games, TEST_SIMULATIONS, seed=2, **settings)
    wins, over = np.zeros(games, bool), np.zeros(games, bool)
    while not over.all():
        tree.search()
        outcomes = tree.step(tree.choose()).outcomes
        wins |= ~over & (outcomes == ox88.Outcome.CHECKMATE)
        over |= outcomes != 0
    return float(wins.mean())


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn to mate with king and rook.")
    parser.add_argument("picture", type=Path)
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--games", help="a PGN of endgames with king and rook against king")
    options = parser.parse_args()
    network, rounds, lessons, rate = Network(), list[Lessons](), list[Lessons](), RATE
    if options.games:
        lessons = [lessons_of(ox88.read_pgn(options.games))]
        for _ in range(EPOCHS):
            network.learn(lessons, rate)
        rate /= 4  # What is known already would be forgotten.
    starts = random_positions(20_000, seed=1)
    settings: Any = {"considered": CONSIDERED, "start": starts, "layout": "compact", "most_plies": None}
    tree = ox88.TreeSearch(network, GAMES, SIMULATIONS, seed=1, **settings)
    started, curve, due, played = time.monotonic(), list[tuple[float, float]](), 0.0, 0
    while (minutes := (time.monotonic() - started) / 60) < options.minutes:
        if minutes >= due:
            curve.append((minutes, share_of_wins(network)))
            mated = f"mate in 50 moves in {curve[-1][1]:6.1%} of games"
            print(f"{minutes:5.1f} minutes, {played:9,} moves: {mated}", flush=True)
            due = (time.monotonic() - started) / 60 + options.minutes / 10
        rounds = [*rounds[1 - MEMORY :], play_round(tree)]
        network.learn([*lessons, *rounds], rate)
        played += GAMES * STEPS
    curve.append((options.minutes, share_of_wins(network, 1000)))
    print(f"at the end, {played:,} moves: {curve[-1][1]:.1%}")
    options.picture.write_text(draw(curve), encoding="utf-8")


def draw(curve: list[tuple[float, float]]) -> str:
    """The curve as SVG: minutes to the right, the share of wins upwards."""
    places = " ".join(f"{40 + 600 * minutes / curve[-1][0]:.1f},{260 - 240 * share:.1f}" for minutes, share in curve)
    marks = "".join(
        f'<path d="M40 {260 - 240 * share}H640" stroke="#ccc"/><text x="2" y="{264 - 240 * share}">{share:.0%}</text>'
        for share in (0, 0.25, 0.5, 0.75, 1)
    )
    words = f'<text x="500" y="285">{curve[-1][0]:g} minutes</text><text x="40" y="285">mates within 50 moves</text>'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 660 300" font-family="sans-serif" font-size="13" '
        f'style="background: #fff">{marks}'
        f'{words}<polyline points="{places}" fill="none" stroke="#1f77b4" stroke-width="2"/></svg>\n'
    )


if __name__ == "__main__":
    main()
