"""The viewer of analysed games: board, moves, graph and gauge as modules of JavaScript, and the graph in Python too.

The web board serves the modules, `ox88 analyse --html` puts them into its page, and a notebook shows the graph.
"""
