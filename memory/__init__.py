"""Memory: what was learned, found by meaning. The counters and states stay in learning/; here only what can be found stands."""
