"""The processes that a host starts: entry script, hook, worker, adapters, environment."""

VERSION = "0.2.0"
