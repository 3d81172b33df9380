"""Skills: which are installed, what they cover, and whether one is well made."""
