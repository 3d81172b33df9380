"""What an agent or a person can ask for about a task: one module a tool, typed in and out.

The command line and the MCP server are two faces of these; neither has rules of its own.
"""
