"""Installed skills: discovery, coverage of learnings, standing, proof, archive and lint."""
