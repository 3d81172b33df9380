"""The tools as an MCP server on stdin and stdout, for hosts that take such servers. Needs the extra ``mcp``.

Only server.py imports the SDK, and only the command that serves imports server.py.
"""
