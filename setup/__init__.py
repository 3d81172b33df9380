"""Putting mind-skills into the settings of coding agents, taking it out again, and the doctor that looks whether it works."""
