"""Storage: state folder, project identity, atomic writes, locks and the database connection."""
