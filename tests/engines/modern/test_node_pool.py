"""The common pool of nodes: together the threads take exactly what is in it."""

from typing import Any

import pytest

from ox88.engines.modern.nodes import take_nodes
from ox88.engines.modern.records import make_searcher
from ox88.engines.modern.thread import MOST_AT_ONCE, NodePool


def searcher_of(pool: NodePool) -> Any:
    searcher = make_searcher()
    searcher.node_pool, searcher.nodes_at_once = pool.address, pool.at_once
    return searcher


@pytest.mark.parametrize(("nodes", "threads"), [(1, 8), (7, 2), (8, 8), (1000, 3), (100_000, 2), (10_000_000, 4)])
def test_no_node_is_taken_twice_and_none_is_left(nodes: int, threads: int) -> None:
    pool = NodePool(nodes, threads)
    assert pool.own * threads >= nodes > (pool.own - 1) * threads
    assert 1 <= pool.at_once <= MOST_AT_ONCE
    searchers = [searcher_of(pool) for _ in range(threads)]
    taking = searchers.copy()
    while taking:
        taking = [searcher for searcher in taking if take_nodes(searcher)]
    taken = [int(searcher.node_limit) for searcher in searchers]
    assert sum(taken) == nodes - pool.own
    assert max(taken) - min(taken) <= pool.at_once
    assert pool.left <= 0


def test_without_a_pool_there_is_nothing_to_take() -> None:
    searcher = make_searcher()
    searcher.node_limit = 5
    assert not take_nodes(searcher)
    assert searcher.node_limit == 5
