"""`ox88 match`: engines play each other; games are refereed and recorded, and strength is estimated from them."""
