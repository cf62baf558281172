"""The strong engine, on bitboards."""
