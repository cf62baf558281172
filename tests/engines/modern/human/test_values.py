"""The values of moves: by nothing but the position, mates, and which moves are searched deeper."""

import itertools
import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ox88
from ox88.bitboard.records import as_array
from ox88.bitboard.tables import board_tables
from ox88.engines.modern.human import policy
from ox88.engines.modern.human.features import GROUPS, MATE_CLASS, SLOTS
from ox88.engines.modern.human.values import (
    COLUMNS,
    DEEPER,
    MOST_NODES,
    SEARCHES,
    TABLE_WORDS,
    UNSEARCHED,
    WINDOW,
    fill_value_classes,
    fill_values,
    make_judge,
)
from ox88.engines.modern.options import SWITCHES
from ox88.engines.modern.records import MATE, MATE_BOUND
from tests.batch.samples import positions
from tests.engines.modern import naive as naive_search
from tests.engines.modern.human.naive import BY_SEARCH
from tests.engines.modern.roots import few_pieces

MATES_AT_ONCE = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1"
STALEMATE, CHECKMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
ONE_MOVE = "7k/8/6QK/8/8/8/8/r7 b - - 0 1"
MOST_MOVES = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"
MANY_CAPTURES = "n1N4Q/NK3b2/4R3/1NQ3n1/q4n2/2QnBBNr/2nq3k/4b3 w - - 0 1"
SPECIAL = ox88.Positions.from_fens([MATES_AT_ONCE, STALEMATE, ONE_MOVE, MOST_MOVES, CHECKMATE])
TABLE = np.zeros(TABLE_WORDS, np.uint64)
HARMLESS = ("use_quiescence", "use_table", "use_history", "use_killers")  # They change no value, or minimax has them.


def values_of(some: ox88.Positions, judge: Any, strong: Any = False) -> NDArray[np.int16]:
    legal = some.legal_moves()
    values = np.zeros((len(legal.moves), COLUMNS), np.int16)
    records: Any = some.records.view(np.recarray)
    tables = as_array(board_tables())
    are_strong, ends = np.full(len(some), False) | strong, legal.offsets.copy()
    fill_values(records, as_array(judge.record), tables, TABLE, ends, legal.moves, are_strong, values)
    return values


@pytest.fixture(scope="module")
def sample() -> ox88.Positions:
    return positions()[::30] + SPECIAL


@pytest.mark.parametrize("strong", [False, True])
def test_the_best_by_a_shallower_search_are_searched_deeper(sample: ox88.Positions, strong: bool) -> None:
    judge, nodes = make_judge(), []
    for row in range(len(sample)):
        some = values_of(sample[[row]], judge, strong)
        nodes.append(int(judge.record["nodes"]))
        assert (some[:, 0] != UNSEARCHED).all()
        for column, (_, count) in enumerate(SEARCHES[int(strong)].tolist(), 1):
            best = in_order(some[:, column - 1])[:count]
            best = [place for place in best if some[place, column - 1] >= -MATE_BOUND]
            searched = np.flatnonzero(some[:, column] != UNSEARCHED).tolist()
            assert searched == sorted(best[: len(searched)])
            assert len(searched) == len(best) or (column > 1 and nodes[-1] >= MOST_NODES), sample[row].fen
    assert (MOST_NODES in nodes) is strong


def test_the_limit_of_nodes_hides_no_mate_in_one() -> None:
    judge = make_judge()
    values = values_of(ox88.Positions.from_fens([MANY_CAPTURES]), judge, True)
    assert judge.record["nodes"] > MOST_NODES
    assert (values[:, 1] == MATE - 1).sum() == 1
    assert (values[:, :2] != UNSEARCHED).all()
    assert (values[:, 2:] == UNSEARCHED).all()


def in_order(values: NDArray[np.int16]) -> list[int]:
    """The best first; of equals the earlier one."""
    return sorted(range(len(values)), key=lambda place: (-int(values[place]), place))


def test_a_value_does_not_depend_on_what_was_searched_before(sample: ox88.Positions) -> None:
    judge, strong = make_judge(), np.arange(len(sample)) % 3 == 0
    once, again = values_of(sample, judge, strong), values_of(sample, judge, strong)
    assert np.array_equal(once, again)
    offsets = sample.legal_moves().offsets
    for row in range(0, len(sample), 7):
        alone = values_of(sample[[row]], make_judge(), strong[row])
        assert np.array_equal(alone, once[offsets[row] : offsets[row + 1]])


def test_the_values_are_those_that_the_ranker_learnt_from() -> None:
    """A new search or network must not change the levels: what the judge uses stays, or the ranker learns again."""
    some = positions()[::2] + SPECIAL
    strong = np.arange(len(some)) % 3 != 0
    assert zlib.crc32(values_of(some, make_judge(), strong).tobytes()) == 3057470482


@pytest.mark.parametrize(
    ("strong", "plies", "pieces", "count"),
    [
        (False, 2, 6, 4),
        pytest.param(False, 3, 5, 6, marks=pytest.mark.slow),
        pytest.param(True, 2, 6, 30, marks=pytest.mark.slow),
    ],
)
def test_without_pruning_values_are_minimax(strong: bool, plies: int, pieces: int, count: int) -> None:
    """A value within the window is exact, and any other a bound. Minimax of more than `plies` would take minutes."""
    judge = make_judge()
    judge.set_network(None)  # Minimax has the handcrafted evaluation.
    for switch in SWITCHES:
        judge.set_parameter(switch.name, int(switch.name in HARMLESS))
    judge.set_parameter("use_table", 0)  # An entry may come from a deeper search than minimax makes there.
    some = ox88.Positions.from_boards(itertools.islice(few_pieces(1000, plies, pieces), count))
    values, legal = values_of(some, judge, strong), some.legal_moves()
    records: Any = some.records.view(np.recarray)
    for row, position in enumerate(records):
        places = slice(legal.offsets[row], legal.offsets[row + 1])
        found, moves, past = values[places], legal.moves[places], [int(position.key)]

        def minimax(place: int, depth: int, position: Any = position, moves: Any = moves, past: Any = past) -> int:
            after = naive_search.after(position, int(moves[place]))
            return -naive_search.minimax(after, depth, past, quiescence=True)

        for place in range(len(found)):
            assert found[place, 0] == minimax(place, 0), some[row].fen
        for column, (depth, _) in enumerate(SEARCHES[int(strong)].tolist(), 1):
            if depth > plies:
                continue
            highest = None
            for place in in_order(found[:, column - 1]):
                if (value := int(found[place, column])) == UNSEARCHED:
                    continue
                true = minimax(place, depth)
                if highest is None or true > highest - WINDOW:
                    assert value == true, some[row].fen
                else:
                    assert true <= value <= highest - WINDOW, some[row].fen
                highest = value if highest is None else max(highest, value)


def test_mates() -> None:
    some = SPECIAL[:1]
    values, names = values_of(some, make_judge()), some.format_uci(some.legal_moves())
    mate = names.index("a1a8")
    assert values[mate].tolist() == [MATE - 1] * COLUMNS
    assert (np.delete(values, mate, axis=0) < MATE_BOUND).any()
    features = np.zeros((len(values), SLOTS), np.uint16)
    fill_value_classes(np.array([0, len(values)]), values, features)
    assert features[mate, MATE_CLASS] == 1
    assert (np.delete(features, mate, axis=0)[:, MATE_CLASS] != 1).all()


def test_no_class_of_a_value_is_beyond_its_group(sample: ox88.Positions) -> None:
    values, offsets = values_of(sample, make_judge()), sample.legal_moves().offsets.copy()
    features = np.zeros((len(values), SLOTS), np.uint16)
    fill_value_classes(offsets, values, features)
    sizes = np.array([size for _, size in GROUPS])
    assert (features[:, BY_SEARCH + 1 :] < sizes[BY_SEARCH + 1 :]).all()


def test_strong_players_see_what_others_do_not() -> None:
    """After ...d4 White mates in three moves: Rb8+ Kh7, g6+ Kh6, Rh8. (A puzzle of Lichess.)"""
    position = ox88.Positions.from_fens(["6k1/1R4p1/p1p1K3/2rp1nP1/6R1/8/2b5/8 b - - 2 63"])
    is_move = position.legal_moves().moves == position.parse_uci(["d5d4"])
    for strong, value in ((False, 352), (True, 6 - int(MATE))):
        assert policy.values_of(values_of(position, make_judge(), strong))[is_move].tolist() == [value]


def test_losses_ranks_and_leads_of_four_moves() -> None:
    none, mated = int(UNSEARCHED), 3 - int(MATE)
    values = np.array([[50, 30, 20, 10], [100, 100, 130, 90], [50, 30, -280, none], [-90, -500, none, none]], np.int16)
    features = np.zeros((4, SLOTS), np.uint16)
    fill_value_classes(np.array([0, 4]), values, features)
    assert tell(features, "quiescence_loss") == [4, 0, 4, 8]  # 50, 0, 50 and 190 centipawns.
    assert tell(features, "quiescence_rank") == [1, 0, 2, 3]  # Of equals the first is better.
    assert tell(features, "shallow_loss") == [5, 0, 5, 11]
    assert tell(features, "shallow_rank") == [1, 0, 2, 3]
    assert tell(features, "deep_loss") == [6, 0, 10, 14]
    assert tell(features, "deep_rank") == [1, 0, 2, 7]
    assert tell(features, "shallow_lead") == [2, 8, 2, 2]  # The best leads by 70.
    assert tell(features, "deep_lead") == [3, 9, 3, 3]
    assert tell(features, "deeper_loss") == [5, 0, 14, 14]  # 80.
    assert tell(features, "deeper_rank") == [1, 0, 7, 7]
    assert tell(features, "deeper_lead") == [2, 8, 2, 2]
    assert tell(features, "value") == [5, 6, 2, 2]
    assert tell(features, "best_value") == [6, 6, 6, 6]
    assert policy.values_of(values).tolist() == [10, 90, -280, -500]
    values[0, DEEPER] = mated
    fill_value_classes(np.array([0, 4]), values, features)
    assert tell(features, "mate") == [3, 0, 0, 0]
    values[:, DEEPER] = none
    fill_value_classes(np.array([0, 4]), values, features)
    assert tell(features, "deeper_lead") == [0] * 4  # No move is the best.
    assert tell(features, "best_value") == [7] * 4  # Of the shallower searches.


def tell(features: NDArray[np.uint16], name: str) -> list[int]:
    """The classes of a group."""
    return [int(number) for number in features[:, [group for group, _ in GROUPS].index(name)]]
