"""The private environment of the Claude Code plugin: the packages of the command line, in the plugin's data folder.

Hooks need none of it. It is built behind the first start, in a process that nobody waits for; until then, and where
there is no network, sessions are read and offers are made all the same.
"""
