"""Storage: state folder, project identity, atomic writes, locks, git's exclude file and the database connection."""
