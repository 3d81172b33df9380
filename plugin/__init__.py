"""The processes that a host starts, and what they need: entry scripts, hook, worker, adapters, environment."""

VERSION = "0.2.0"
