"""`python -m mineproof` is the same as `mineproof`."""

from mineproof.cli.main import main

if __name__ == "__main__":
    main()
