"""The page in the browser: its files, a local server, and the static site."""
