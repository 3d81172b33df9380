"""Reading of the hosts' session logs into observations."""
