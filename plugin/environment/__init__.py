"""The private environment of the Claude Code plugin: the command line's required packages, in the plugin's data folder.

Hooks do not need the environment. A detached process builds it after the first session start; before that, and without
a network, learning works as usual.
"""
