"""Learning rules: scoring, decay, maturity of patterns, and votes."""
