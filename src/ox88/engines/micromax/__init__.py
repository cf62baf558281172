"""micro-Max 3.2, exact to the node. `search.py` is the listing, `machine.py` its state, `driver.py` an engine."""
