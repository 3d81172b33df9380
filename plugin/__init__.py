"""The faces of mind-skills: command line, host adapters, reports."""
