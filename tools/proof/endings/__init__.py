"""The campaign endings: draws by all rules, forced mates, and endings played out."""
