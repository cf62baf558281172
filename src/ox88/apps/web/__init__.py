"""The board in the browser: `ox88 serve`."""
