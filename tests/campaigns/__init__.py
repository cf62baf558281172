"""Tests that take a campaign's length: short in .ci/run, for hours as docs/reliability.md tells."""
