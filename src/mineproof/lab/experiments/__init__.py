"""The experiments that come with Mineproof, a module for each source document."""
