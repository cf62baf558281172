"""`ox88 show`: pictures of how the boards represent a position, as text and as SVG."""
