"""The checks of `mind-skills doctor`. They report problems and how to fix them, but change nothing."""
