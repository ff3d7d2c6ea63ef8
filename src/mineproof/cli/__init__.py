"""The command line. Each module that defines `command` is a command; `main` finds them."""
