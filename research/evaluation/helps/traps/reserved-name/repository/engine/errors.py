class FlowError(Exception):
    """What a person can mend in a definition or its input."""
