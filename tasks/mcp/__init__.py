"""MCP server on stdin and stdout that provides the tools. Requires the extra ``mcp``.

Only server.py imports the SDK, and only the command that serves imports server.py.
"""
