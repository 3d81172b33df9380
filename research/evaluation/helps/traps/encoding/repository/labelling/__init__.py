"""Labels for shelves."""
