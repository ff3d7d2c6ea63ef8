"""Runs `mineproof` for `python -m mineproof`."""

from mineproof.cli.main import main

if __name__ == "__main__":
    main()
