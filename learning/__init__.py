"""Learning rules: outcomes, votes, maturity of patterns, weights of criteria, errors of tasks, and installed skills."""
