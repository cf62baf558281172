"""ox88.Engine and ox88.MicroMax: engines in this process, asked in the words of python-chess's SimpleEngine."""
