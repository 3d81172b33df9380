"""Settings: table, names, editor, a lenient reader that skips invalid values, and a strict reader that reports them."""
