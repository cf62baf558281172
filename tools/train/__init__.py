"""Training of networks in kernels, from the positions that tools.datagen makes."""
