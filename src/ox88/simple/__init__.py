"""For boards of python-chess: ox88.Engine and ox88.MicroMax, which are used like SimpleEngine, and ox88.human_moves."""
