"""Games annotated by an engine: what each move was worth, where it went wrong, and what would have been better."""
