"""Installation, uninstallation, the import of earlier sessions, and `mind-skills doctor`."""
