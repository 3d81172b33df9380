"""Task operations for agents and users: typed inputs and outputs, one module per subject.

The command line and the MCP server call these functions and add no rules of their own.
"""
