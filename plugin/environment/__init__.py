"""The private environment of the Claude Code plugin: the packages for the command line, in the plugin's data folder.

Hooks do not need it. A detached process builds it after the first start; until then, and without a network, learning
works as usual.
"""
