"""The settings: one table of them, a reader for hooks that goes on without what is wrong, and one that says what is wrong."""
