"""What a person opens: the terminal game, the bench."""
