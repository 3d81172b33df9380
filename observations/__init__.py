"""Whatever a host wrote, read into observations."""
