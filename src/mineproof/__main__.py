"""Runs the `mineproof` command when called as `python -m mineproof`."""

from mineproof.cli.main import main

if __name__ == "__main__":
    main()
