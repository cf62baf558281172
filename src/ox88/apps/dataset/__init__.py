"""`ox88 dataset`: the positions of games as a table in Parquet files."""
