"""Boards and analyses as pictures, for Jupyter notebooks."""
