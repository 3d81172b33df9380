"""The version, apart from everything else so that `mind-skills --version` costs nothing. pyproject.toml says the same; a test compares."""

VERSION = "0.1.0"
