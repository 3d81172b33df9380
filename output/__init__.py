"""What every command and tool prints with: documents, text, candidates as both, and the state that they are read from."""
