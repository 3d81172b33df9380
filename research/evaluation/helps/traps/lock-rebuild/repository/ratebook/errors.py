class BookError(Exception):
    """The book cannot be used as it is."""
