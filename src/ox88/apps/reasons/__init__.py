"""Why a move is good or bad, in one sentence that a search has confirmed.

reason       Reason and `ox88.explain`: which line to speak of, and whether it is sure
searching    searches by any engine
sentences    what a line wins, at its quiet end, and the words
"""
