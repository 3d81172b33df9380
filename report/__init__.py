"""HTML report of what was learned, used and proven, rendered from one document."""
