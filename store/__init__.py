"""Storage: state folder, project identity, atomic writes, locks, the database, our files in git, cached bytecode."""
