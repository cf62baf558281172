"""ox88.TreeSearch beside a twin in plain Python on boards of python-chess: equal visits of all moves."""

import copy
import math
from typing import Any

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

import ox88
from ox88.batch.env import tree_search
from ox88.batch.env.gumbel import halving_order
from ox88.batch.env.observations import Observation
from ox88.batch.learning.policy import SIZES, Layout
from ox88.zobrist import STRIDE, scramble
from tests.batch.env.test_env import ENDINGS, Twin

F = np.float32
MATE_IN_1 = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"


class RandomNetwork:
    """Numbers that look random but follow from the planes by whole numbers, so that no batch changes them."""

    def __init__(self, planes: int, actions: int) -> None:
        choice = np.random.default_rng(88)
        self.weights = choice.integers(1, 1 << 40, planes * 64)
        self.factors = choice.integers(1, 1 << 62, actions) | 1
        self.batches: list[int] = []

    def __call__(self, planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        self.batches.append(len(planes))
        keys = planes.reshape(len(planes), -1).astype(np.int64) @ self.weights
        logits = (keys[:, np.newaxis] * self.factors >> 20 & 0xFFFF).astype(F) / F(8192)
        return logits, ((keys >> 7) % 2001 - 1000).astype(F) / F(1000)


class Node:
    def __init__(self, parent: "Node | None" = None, move: str = "", action: int = 0, prior: Any = 0) -> None:
        self.parent, self.move, self.action, self.prior = parent, move, action, prior
        self.visits, self.state = 0, "new"
        self.value: Any = F(0)  # That of the side that makes the move.
        self.gumbel = F(0)
        self.children: list[Node] = []
        self.outcome = ox88.Outcome.NONE


class TwinTree:
    """The search in one game, by the formulas of ox88.batch.env.puct."""

    def __init__(self, fen: str, network: Any, kind: Observation, layout: Layout, **settings: Any) -> None:
        self.game, self.network, self.kind, self.layout, self.settings = Twin(fen), network, kind, layout, settings
        self.root = _root(Node())

    def search(self, noise: Any) -> None:
        """noise: the numbers of a gamma or Gumbel's distribution for each legal move, in Ox88's order."""
        while self.root.visits < 1:
            self.wave(1)
        if self.settings["considered"]:
            for child, gumbel in zip(self.root.children, noise, strict=True):
                child.gumbel = F(gumbel)
        else:
            self.mix(noise)
        while self.root.visits < self.settings["simulations"]:
            self.wave(self.settings["simulations"])

    def mix(self, noise: Any) -> None:
        shares = noise / sum(noise.tolist())
        share = self.settings["noise"]
        for action, part in zip(self.actions(self.game.board)[1], shares, strict=True):
            for child in self.root.children:
                if child.action == action:
                    child.prior = F((1 - share) * float(child.prior) + share * part)

    def wave(self, most: int) -> None:
        waiting: list[tuple[Node, Twin]] = []
        while len(waiting) < self.settings["leaves"] and self.root.visits < most:
            node, game = self.root, Twin(self.game.board.fen())
            game.board = self.game.board.copy()
            visit(node)
            while node.state == "open":
                halves = self.settings["considered"] and node is self.root
                node = self.next_of_half() if halves else max(node.children, key=self.bound)
                game.board.push_uci(node.move)
                visit(node)
            if node.state == "waiting":
                climb(node, 0.0, -1)
                break
            if node.state == "new" and node is not self.root:
                node.outcome = game.outcome(self.settings["claim_draw"], self.settings["most_plies"])
            if node.outcome:
                node.state = "ended"
                climb(node, -1.0 if node.outcome == ox88.Outcome.CHECKMATE else 0.0, 0)
            else:
                node.state = "waiting"
                waiting.append((node, game))
        for node, game in waiting:
            self.learn(node, game)

    def next_of_half(self) -> Node:
        """The root's visit for this simulation has been counted."""
        moves = min(self.settings["considered"], len(self.root.children))
        return self.best_with(halving_order(moves, self.settings["simulations"] - 1)[self.root.visits - 2])

    def best_with(self, visits: int) -> Node:
        return max((child for child in self.root.children if child.visits == visits), key=self.score)

    def score(self, child: Node) -> float:
        logit = float(F(math.log(child.prior)) + child.gumbel)
        return logit + (self.worth() * float(child.value) / child.visits if child.visits else 0)

    def worth(self) -> float:
        return 0.5 * (50 + max(child.visits for child in self.root.children))

    def improved(self) -> dict[int, float]:
        """The policy to learn with Gumbel's selection, by actions."""
        children = self.root.children
        tried = [child for child in children if child.visits]
        visits, own = sum(child.visits for child in tried), -float(self.root.value)
        own -= sum(float(child.value) for child in tried)  # What the network said.
        mean = sum(float(child.prior) * float(child.value) / child.visits for child in tried)
        mean /= sum(float(child.prior) for child in tried)
        values = [float(c.value) / c.visits if c.visits else (own + visits * mean) / (1 + visits) for c in children]
        weights = [float(c.prior) * math.exp(self.worth() * value) for c, value in zip(children, values, strict=True)]
        return {child.action: weight / sum(weights) for child, weight in zip(children, weights, strict=True)}

    def learn(self, node: Node, game: Twin) -> None:
        logits, values = self.network(game.observation(self.kind)[np.newaxis])
        moves, actions = self.actions(game.board)
        weights = [math.exp(float(logits[0, action]) - float(logits[0, actions].max())) for action in actions]
        node.state = "open"
        node.children = [
            Node(node, move, action, F(weight / sum(weights)))
            for move, action, weight in zip(moves, actions.tolist(), weights, strict=True)
        ]
        climb(node, float(values[0]), 0)

    def bound(self, child: Node) -> Any:
        node = child.parent
        assert node is not None
        scale = F(self.settings["exploration"] * math.sqrt(node.visits))
        explored = scale * child.prior / (F(child.visits) + F(1))
        if child.visits:
            return child.value / F(child.visits) + explored
        return F(-float(node.value) / node.visits - self.settings["first_play"]) + explored

    def actions(self, board: chess.Board) -> tuple[list[str], NDArray[np.int64]]:
        """The legal moves and their actions, in Ox88's order."""
        positions = ox88.Positions.from_boards([board])
        legal = positions.legal_moves()
        moves = [chess.Move.from_uci(text) for text in positions[legal.rows].format_uci(legal.moves)]
        found = [board.uci(board.parse_uci(move.uci())) for move in moves]
        assert sorted(found) == sorted(board.uci(move) for move in board.legal_moves)
        return found, positions.policy_index(legal, self.layout)

    def step(self, action: int) -> None:
        (child,) = (child for child in self.root.children if child.action == action)
        self.game.board.push_uci(child.move)
        child.parent = None
        self.root = _root(child if child.visits and not self.settings["considered"] else Node())


def _root(node: Node) -> Node:
    """The root's sum has 64 bits, the others' 32."""
    node.value = np.float64(node.value)
    return node


def visit(node: Node) -> None:
    node.visits += 1
    node.value -= F(1)


def climb(node: Node | None, value: float, visits: int) -> None:
    while node is not None:
        value = -value
        node.visits += visits
        node.value += type(node.value)(1 + value)
        node = node.parent


@pytest.mark.parametrize(
    ("kind", "layout", "considered", "leaves", "claim_draw", "most_plies"),
    [
        ("planes", "az", 0, 1, True, 5),
        ("planes", "compact", 0, 4, True, 60),
        ("az", "az", 0, 3, False, 60),
        ("leela", "az", 0, 1, True, 60),
        ("planes", "compact", 8, 1, True, 60),
        ("planes", "az", 5, 3, True, 5),
    ],
)
@pytest.mark.parametrize(("size", "simulations"), [(6, 20), pytest.param(10, 40, marks=pytest.mark.slow)])
def test_twin(
    kind: Observation,
    layout: Layout,
    considered: int,
    leaves: int,
    claim_draw: bool,
    most_plies: int,
    size: int,
    simulations: int,
) -> None:
    settings: dict[str, Any] = {
        "simulations": simulations, "considered": considered, "leaves": leaves, "noise": 0.25, "exploration": 1.5,
        "first_play": 0.3, "claim_draw": claim_draw, "most_plies": most_plies,
    }  # fmt: skip
    starts = ox88.Positions.from_fens([ox88.STARTPOS, MATE_IN_1, *ENDINGS[:-1]])
    network = RandomNetwork({"planes": 18, "az": 119, "leela": 112}[kind], SIZES[layout])
    tree = ox88.TreeSearch(network, size, observation=kind, layout=layout, start=starts, seed=7, alpha=0.5, **settings)
    twins = [TwinTree(fen, network, kind, layout, **settings) for fen in tree.positions.fens(shredder=True)]
    choice, temperatures = np.random.default_rng([7, 1]), np.arange(size) % 3 / 2
    kept, ends = 0, 0
    for _ in range(8):
        visits, values = tree.search()
        counts = tree.positions.legal_moves().counts
        noises = choice.gumbel(size=counts.sum()) if considered else choice.standard_gamma(0.5, counts.sum())
        policy = tree.policy()
        for row, (twin, noise) in enumerate(zip(twins, np.split(noises, np.cumsum(counts)[:-1]), strict=True)):
            kept += twin.root.visits > 1
            twin.search(noise)
            expected = np.zeros(SIZES[layout], int)
            for child in twin.root.children:
                expected[child.action] = child.visits
            assert np.array_equal(visits[row], expected), (row, twin.game.board.fen())
            assert values[row] == F(-float(twin.root.value) / twin.root.visits)
            if considered:
                expected = np.zeros(SIZES[layout])
                for action, share in twin.improved().items():
                    expected[action] = share
            assert np.allclose(policy[row], expected / expected.sum(), rtol=1e-5, atol=1e-9)
        drawn = [twin_choice(*pair) for pair in zip(twins, temperatures, tree._games["random"], strict=True)]
        actions = tree.choose(temperatures)
        assert actions.tolist() == drawn
        outcomes = tree.step(actions).outcomes
        for row, twin in enumerate(twins):
            twin.step(int(actions[row]))
            if outcomes[row]:
                assert outcomes[row] == twin.root.outcome or twin.root.state == "new"
                ends += 1
                fen = tree.positions[[row]].fens(shredder=True)[0]
                twins[row] = TwinTree(fen, network, kind, layout, **settings)
    assert kept > 4 * size if considered == 0 else kept == 0
    assert ends > (size - 2 if most_plies == 5 else 0)
    assert max(network.batches) <= size * leaves
    assert tree.positions.fens(shredder=True) == [
        ox88.Positions.from_boards([twin.game.board]).fens(shredder=True)[0] for twin in twins
    ]


def twin_choice(twin: TwinTree, temperature: float, state: Any) -> int:
    """What `choose` takes: the children are in Ox88's order."""
    if twin.settings["considered"]:
        return twin.best_with(max(child.visits for child in twin.root.children)).action
    tries = [child.visits for child in twin.root.children]
    chosen = tries.index(max(tries))
    if temperature > 0:
        with np.errstate(over="ignore"):
            random = float(scramble(np.uint64(state) + STRIDE)) * 2.0**-64
        weights = [(count / max(tries)) ** (1 / temperature) for count in tries]
        rest = random * math.fsum(weights)
        for number, weight in enumerate(weights):
            rest -= weight
            if rest < 0:
                chosen = number
                break
    return twin.root.children[chosen].action


def constant(planes: NDArray[Any]) -> tuple[Any, Any]:
    return np.zeros((len(planes), 4672), F), np.zeros(len(planes), F)


def test_a_mate_in_one_has_its_exact_value() -> None:
    tree = ox88.TreeSearch(constant, 2, 300, start=ox88.Positions.from_fens([MATE_IN_1]), noise=0.0)
    visits, values = tree.search()
    mate = tree.positions.policy_index(["Ra8", "Ra8"])
    assert (visits.argmax(axis=1) == mate).all()
    assert (values > 0.7).all()
    assert tree.step(tree.choose(0)).outcomes.tolist() == [ox88.Outcome.CHECKMATE] * 2


def test_halving_shares_the_simulations() -> None:
    assert halving_order(8, 24) == [0] * 8 + [1] * 4 + [2] * 4 + [3] * 2 + [4] * 2 + [5] * 2 + [6] * 2
    assert halving_order(3, 10) == [0] * 3 + [1, 1, 2, 2, 3, 3, 4]
    assert halving_order(1, 4) == [0, 1, 2, 3]
    assert halving_order(16, 9) == [0] * 9


def test_gumbels_selection_sees_what_a_sure_network_overlooks() -> None:
    def evaluate(planes: NDArray[Any]) -> tuple[Any, Any]:
        logits, values = constant(planes)
        logits[:, wrong] = 6
        values[:] = np.where(planes[:, 3].any(axis=(1, 2)), 0.7, -0.7)  # The side with the rook wins anyway.
        return logits, values

    starts = ox88.Positions.from_fens([MATE_IN_1])
    wrong, mate = starts.policy_index(["Ra7"])[0], starts.policy_index(["Ra8"])[0]
    found = {}
    for considered in 0, 16:
        tree = ox88.TreeSearch(evaluate, 64, 26, considered=considered, start=starts, seed=1)
        tree.search()
        found[considered] = (tree.choose(0) == mate).mean(), tree.policy()[:, mate].mean()
    assert max(found[0]) < 0.1 < 0.8 < min(found[16])
    still = ox88.TreeSearch(evaluate, 2, 26, considered=16, start=starts, noise=0)
    assert np.array_equal(*still.search().visits)


def test_trees_grow_beyond_their_first_size(monkeypatch: pytest.MonkeyPatch) -> None:
    def play() -> list[Any]:
        tree = ox88.TreeSearch(RandomNetwork(18, 4672), 3, 200, leaves=2, seed=1)
        found = []
        for _ in range(4):
            found.append(tree.search().visits.copy())
            tree.step(tree.choose())
        return found

    expected = play()
    monkeypatch.setattr(tree_search, "_MOVES", 1)
    for first, second in zip(expected, play(), strict=True):
        assert np.array_equal(first, second)


def test_the_value_of_many_visits_is_exact() -> None:
    """A sum of 32 bits was wrong by a thousandth after 100,000 visits, and by more with each further one."""

    def evaluate(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        return np.zeros((len(planes), 4672), F), np.where(planes[:, 17, 0, 0], F(0.9), F(-0.9))

    tree = ox88.TreeSearch(evaluate, 1, 100_000, leaves=512, noise=0)
    assert tree.search().values == pytest.approx(0.9, abs=1e-6)


@pytest.mark.parametrize("considered", [0, 8])
def test_a_search_again_adds_nothing_and_a_reset_forgets(considered: int) -> None:
    network = RandomNetwork(18, 4672)
    tree = ox88.TreeSearch(network, 3, 50, considered=considered, seed=1)
    first = tree.search().visits.copy()
    policy = tree.policy()
    assert first.sum(axis=1).tolist() == [49] * 3  # The root itself has the first visit.
    calls = len(network.batches)
    assert np.array_equal(tree.search().visits, first)
    assert len(network.batches) == calls
    assert np.array_equal(tree.policy(), policy)
    tree.reset(1)
    assert not tree.policy().any()
    assert np.array_equal(tree.search().visits, first)
    tree.reset(2)
    assert not np.array_equal(tree.search().visits, first)  # Other noise.


@pytest.mark.parametrize("considered", [0, 4])
def test_the_policy_is_of_the_position_that_is_there(considered: int) -> None:
    """After a step the policy is of the tree that was kept; after an error there is no tree, and the policy is 0."""
    network = RandomNetwork(18, 4672)
    tree = ox88.TreeSearch(network, 3, 50, considered=considered, seed=1)
    tree.search()
    tree.step(tree.choose())
    assert not tree.policy()[~tree.mask].any()
    assert tree.policy().any() == (considered == 0)
    tree.reset(1)
    tree.search()
    tree.step(tree.choose())

    def fail(_: Any) -> Any:
        raise ZeroDivisionError

    tree._evaluate = fail
    with pytest.raises(ZeroDivisionError):
        tree.search()
    assert not tree.policy().any()


def test_a_copy_searches_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tree_search, "_MOVES", 1)  # The trees grow in the copy too.
    tree = ox88.TreeSearch(RandomNetwork(18, 4672), 3, 100, leaves=2, seed=1)
    tree.search()
    tree.step(tree.choose(0))
    other, before = copy.deepcopy(tree), tree.observations.copy()
    found = []
    for one in (other, tree):
        assert np.array_equal(one.observations, before)
        for _ in range(3):
            one.step(one.search().visits.argmax(axis=1))
        found.append((one.search().visits.copy(), one.observations.copy()))
    assert np.array_equal(found[0][0], found[1][0])
    assert np.array_equal(found[0][1], found[1][1])


def test_games_that_are_over_wait() -> None:
    tree = ox88.TreeSearch(
        constant, 2, 40, start=ox88.Positions.from_fens([MATE_IN_1]), autoreset="next_step", noise=0.3, seed=65
    )
    for _ in range(2):
        tree.search()
        tree.step(tree.positions.policy_index(["Ra8", "Kd2"]))
        visits, values = tree.search()
        assert visits.sum(axis=1).tolist() == [0, 39]
        assert values[0] == 0
        actions = tree.choose()
        assert actions[0] == 0
        assert visits[1, tree.choose(0)[1]] == visits[1].max()  # With this seed two moves have the most visits.
        tree.step(actions)
        assert tree.search().visits.sum(axis=1).tolist() == [39, 39]
        tree.reset(65)


def test_sparse_observations() -> None:
    def evaluate(features: NDArray[np.int16]) -> tuple[Any, Any]:
        assert features.shape[1:] == (2, 32)
        assert (features[:, 0] >= 0).sum(axis=1).max() == 32
        return constant(features)

    assert ox88.TreeSearch(evaluate, 2, 9, observation="nnue", seed=1).search().visits.sum() == 16


class Foreign:
    """An array of another library, which nothing but DLPack can read."""

    def __init__(self, array: NDArray[Any], readable: bool = True) -> None:
        self.array, self.readable = array, readable

    def __dlpack__(self, **options: Any) -> Any:
        if not self.readable:
            raise BufferError("on a graphics card")
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_arrays_of_other_kinds() -> None:
    network = RandomNetwork(18, 4672)

    def others(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        logits, values = network(planes)
        logits.flags.writeable = False
        return logits.astype(np.float64)[:, ::1], Foreign(values[:, np.newaxis])

    def read_only(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        logits, values = network(planes)
        logits.flags.writeable = values.flags.writeable = False
        return logits, values.tolist()

    expected = ox88.TreeSearch(network, 2, 30, seed=3).search().visits
    for evaluate in (others, read_only):
        assert np.array_equal(ox88.TreeSearch(evaluate, 2, 30, seed=3).search().visits, expected)


@pytest.mark.parametrize(
    ("change", "error", "words"),
    [
        (lambda some, _: some, TypeError, "evaluate returned ndarray: a pair of logits and values"),
        (lambda some, values: (some[:, 1:], values), ox88.Ox88Error, r"logits of shape \(2, 4671\): \(2, 4672\) is"),
        (lambda some, values: (some, values[1:]), ox88.Ox88Error, r"values of shape \(1,\): \(2,\) is"),
        (lambda some, values: (some, values == 0), TypeError, "values of bool: numbers are expected"),
        (lambda some, _: (some, "ab"), TypeError, "values of <U2: numbers are expected"),
        (
            lambda some, values: (Foreign(some, readable=False), values),
            TypeError,
            r"cannot read, on a graphics card: such as logits\.float\(\)\.cpu\(\) is expected$",
        ),
        (
            lambda some, values: (some * np.nan, values),
            ox88.RowError,
            "row 0: for rnbqkbnr/.* evaluate returned logi",
        ),
        (
            lambda some, values: (some - np.inf, values),
            ox88.RowError,
            "row 0: .* no numbers: finite ones are expected$",
        ),
        (lambda some, values: (some + np.inf, values), ox88.RowError, "row 0: .* logits that are no numbers"),
        (lambda some, _: (some, [0, 1.5]), ox88.RowError, "row 1: .* the value 1.5: -1 to 1 is expected"),
        (lambda some, _: (some, [0, np.nan]), ox88.RowError, "row 1: .* the value nan: -1 to 1"),
    ],
)
def test_impossible_answers(change: Any, error: Any, words: str) -> None:
    network, wrong = RandomNetwork(18, 4672), [False]

    def evaluate(planes: NDArray[np.uint8]) -> Any:
        logits, values = network(planes)
        return change(logits, values) if wrong[0] else (logits, values)

    tree = ox88.TreeSearch(evaluate, 2, 20, seed=3)
    expected = tree.search().visits.copy()
    tree.reset(3)
    wrong[0] = True
    with pytest.raises(error, match=words):
        tree.search()
    wrong[0] = False
    tree.reset(3)
    assert np.array_equal(tree.search().visits, expected)


def test_an_error_names_the_moves_to_the_leaf() -> None:
    def evaluate(planes: NDArray[np.uint8]) -> tuple[Any, Any]:
        logits, values = constant(planes)
        logits[:, [877, 1095]] = 9.0  # e2e4, which is also e7e5 for Black, and nothing.
        if planes[0, 0].sum() == 8 and planes[0, 0, 3, 4] and planes[0, 6, 4, 4]:
            values[:] = 2
        return logits, values

    tree = ox88.TreeSearch(evaluate, 1, 20, noise=0.0)
    with pytest.raises(ox88.RowError, match=r"row 0: after e2e4 e7e5 from rnbqkbnr/.* evaluate returned the value 2.0"):
        tree.search()


def test_wrong_arguments() -> None:
    for settings, words in (
        ({"simulations": 1}, "simulations is 1: 2 to"),
        ({"considered": -1}, "considered is -1: 0 to 418"),
        ({"considered": 8, "simulations": 1 << 17}, "simulations is 131072: 2 to 65536"),
        ({"leaves": 0}, "leaves is 0: 1 to"),
        ({"exploration": -1.0}, "exploration is -1.0: a number from 0"),
        ({"first_play": math.nan}, "first_play is nan: a number from 0 to 2"),
        ({"noise": 1.5}, "noise is 1.5: a number from 0 to 1"),
        ({"exploration": math.inf}, "exploration is inf: a number from 0 to 1000000"),
        ({"alpha": 0.0}, "alpha is 0.0: a number from 1e-06 to"),
        ({"games": 0}, "games is 0: 1 to"),
        ({"observation": "x"}, "observation 'x'"),
    ):
        with pytest.raises(ox88.Ox88Error, match=words):
            ox88.TreeSearch(constant, **settings)
    no_numbers: list[tuple[str, Any, str]] = [
        ("evaluate", None, "evaluate is None: a function is expected"),
        ("noise", None, "noise is None: a number is expected"),
        ("exploration", "x", "exploration is 'x': a number is expected"),
        ("claim_draw", "no", "claim_draw is 'no': True or False is expected"),
    ]
    for name, value, words in no_numbers:
        arguments: dict[str, Any] = {"evaluate": constant, name: value}
        with pytest.raises(TypeError, match=words):
            ox88.TreeSearch(**arguments)
    tree = ox88.TreeSearch(constant, 2, 4)
    assert tree.choose().tolist() == [0, 0]
    for wrong, words in (
        (-1.0, "row 0: temperature -1.0: "),
        ([1, math.nan], "row 1: temperature nan: "),
        ([1, 1, 1], r"temperature of shape \(3,\): "),
    ):
        with pytest.raises(ox88.Ox88Error, match=f"{words}one number from 0, or 2, is expected"):
            tree.choose(wrong)
    with pytest.raises(TypeError, match="temperature 'x': one number from 0, or 2, is expected"):
        tree.choose("x")
    with pytest.raises(ox88.RowError, match="row 0: action 0 is not legal"):
        tree.step([0, 0])
