"""Memory: stores records of what was learned, and searches them by meaning. Votes and maturities are in learning/."""
