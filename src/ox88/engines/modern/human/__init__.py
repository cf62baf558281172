"""Moves as people of a rating choose them: features and values of all legal moves, a ranker, and a choice by chance."""
