"""The network that evaluates positions: an efficiently updatable neural network (NNUE), trained on Ox88's own games.

Its inputs are the pieces on their squares. A layer of hidden neurons is kept beside the position and changes with each
move by a few rows of weights; only the output is computed anew. docs/network.md explains it.
(Yu Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018.)
"""
