"""What commands and tools share: JSON documents, text output, the documents of candidates, and access to the state."""
