"""For people who develop Ox88; not part of the package."""
