"""Output of commands and tools: JSON documents, text, candidates in both forms, and access to the state."""
