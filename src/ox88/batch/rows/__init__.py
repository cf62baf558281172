"""Rows of arrays: arguments that name them, work on chunks of them in threads, and results of different lengths."""
