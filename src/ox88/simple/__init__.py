"""The engines behind python-chess's own types: a `chess.engine.SimpleEngine` without a process.

python-chess's UCI talks to a session of ours as it does to a process, through queues in place of pipes. So what its
users know of play, analyse, analysis and options holds here word for word, and is written nowhere a second time.
"""
