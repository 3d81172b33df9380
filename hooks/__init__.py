"""Session lifecycle hooks, the same for every host: start, idle, end, recovery."""
