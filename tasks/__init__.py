"""What an agent or a person can ask for about a task: typed in and out, one module a subject.

The command line and the MCP server call these; neither has rules of its own.
"""
