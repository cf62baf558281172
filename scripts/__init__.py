"""What README and CI call; not part of the package."""
