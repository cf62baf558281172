"""A limit of nodes for all threads of a search together, without a lock and at no cost in a node.

The threads take nodes from one pool, some at a time, whenever they have used up their own. So together they never
search more than the limit. The first thread, whose move is played, has its own share; the rest is the pool.
"""

from typing import Final

import numpy as np

from ox88.jit import fetch_subtract, kernel

PORTIONS: Final = 64  # The least number of times that a thread goes to the pool.
MOST_AT_ONCE: Final = 1024  # Nodes.


class NodePool:
    """The nodes that the threads of a search share.

    own: nodes of the first thread alone. at_once: how many nodes a thread takes at a time.
    """

    def __init__(self, nodes: int, threads: int) -> None:
        """nodes: the limit of the search."""
        self.own = -(-nodes // threads)
        self.at_once = min(max(nodes // (PORTIONS * threads), 1), MOST_AT_ONCE)
        self._left = np.array([nodes - self.own], np.int64)

    @property
    def address(self) -> int:
        """The address of an int64, the number of nodes left. It is valid as long as this object lives."""
        return int(self._left.ctypes.data)

    @property
    def left(self) -> int:
        """Nodes that no thread has taken; 0 or less if there are none."""
        return int(self._left[0])


@kernel
def take_nodes(s):
    """Raise a thread's limit by nodes from the pool. False if there is no pool, or if nothing is left in it."""
    if s.node_pool == 0:
        return False
    taken = min(fetch_subtract(s.node_pool, s.nodes_at_once), s.nodes_at_once)
    if taken <= 0:
        return False
    s.node_limit += taken
    return True
