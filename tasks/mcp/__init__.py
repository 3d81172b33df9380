"""MCP server on stdin and stdout that provides the tools. Requires the ``mcp`` extra.

Only server.py imports the SDK, and only the command `mind-skills mcp` imports server.py.
"""
