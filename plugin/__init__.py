"""What a host starts and hears: entry, hook, worker, adapters, environment."""

VERSION = "0.1.0"
