"""MCP server on stdin and stdout that provides the tools. Requires the ``mcp`` extra.

Only server.py imports the SDK, and only `mind-skills mcp` imports server.py.
"""
