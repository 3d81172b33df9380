"""Operations that agents and users perform, with typed inputs and outputs; one module per subject.

The command line and the MCP server call the same functions.
"""
