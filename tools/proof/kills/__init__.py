"""The campaign kills: commands that are ended at any moment, and what they leave."""
