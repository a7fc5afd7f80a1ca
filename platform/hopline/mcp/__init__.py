"""The MCP server (``hopline mcp``): tools for language models over an open graph or a service."""
