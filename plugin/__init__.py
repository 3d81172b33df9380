"""What a host starts and hears: entry, hook, worker, adapters, environment."""
