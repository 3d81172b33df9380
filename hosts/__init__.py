"""Data about the hosts: where they keep things, what they call their tools."""
