"""The commands of `ox88`, each in a folder or a file, and what they share."""
