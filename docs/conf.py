"""Sphinx settings. Build the documentation with `make docs`; the tests use `sphinx -W`."""

from __future__ import annotations

import mineproof

project = "Mineproof"
author = "The Mineproof maintainers"
copyright = author
release = version = mineproof.__version__

extensions = ["myst_parser"]
exclude_patterns = ["_build"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
html_theme = "furo"
html_title = "Mineproof"
