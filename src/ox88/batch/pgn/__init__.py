"""PGN files in bulk: moves, clocks, evaluations and tags of main lines as arrays.

`files` reads bytes, `splitting` cuts them into chunks of whole games, and `reading` runs the kernels of `tags` and
`movetext_reader` on the chunks in threads (with `comments`) and makes `games.Games` of the results.
`replay` makes positions of Games, `writing` writes them as PGN, and `words` knows the backslashes in tags.
`game_text` splits a PGN into the texts of its games.
"""
