"""Campaigns that show how far Ox88 can be relied on: see docs/reliability.md."""
