"""Which candidates wait, for whom, and the text that offers them once."""
