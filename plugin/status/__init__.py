"""`mind-skills status`: what it says, and how; without an argument parser, a validator or a drawer of tables."""
