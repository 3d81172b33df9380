"""The lifecycle of a session, the same for every host: start, idle, end, recover."""
