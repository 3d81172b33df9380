"""Putting the hooks into a host's settings and taking them out again, so that nobody else's word in there changes."""
