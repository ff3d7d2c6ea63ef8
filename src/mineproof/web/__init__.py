"""The browser page: a server for this machine alone, and the files of the page."""
