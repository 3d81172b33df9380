"""Installation into the settings of coding agents, uninstallation, and `mind-skills doctor`."""
