"""The campaign server: many players, and visitors who do harm, at `ox88 serve`."""
