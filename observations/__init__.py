"""Reads the hosts' session logs into observations."""
