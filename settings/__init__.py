"""Settings: their table, a lenient reader for hooks, which skips invalid values, and a strict reader, which reports them."""
